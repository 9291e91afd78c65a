import { useEffect, useState } from "react";
import { isDialogOpen, isEditable } from "../../shared/editable";
import { useStableHandlers } from "../../ui/useStableHandlers";

/** What is being dragged over the window, if it can be dropped here. */
export type Dragged = "files" | "link";

type DropHandlers = {
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
};

/** Follows what is dragged over the window from outside, and takes it when it is dropped. */
export function useDrop(handlers: DropHandlers): Dragged | null {
  const { onFiles, onText } = useStableHandlers(handlers);
  const [over, setOver] = useState<Dragged | null>(null);
  useEffect(() => {
    // A link or passage of this very page is moved about, not added.
    let fromHere = false;
    const onStart = () => {
      fromHere = true;
    };
    const onEnd = () => {
      fromHere = false;
    };
    const onDrag = (event: DragEvent) => {
      const dragged = fromHere ? null : whatIsDragged(event);
      if (!dragged) return;
      // Without this the browser would open it in place of the app.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
      setOver(dragged);
    };
    const onLeave = (event: DragEvent) => {
      // Only leaving the window has nowhere to go to; moving between elements has.
      if (event.relatedTarget === null) setOver(null);
    };
    const onDrop = (event: DragEvent) => {
      setOver(null);
      const dragged = fromHere ? null : whatIsDragged(event);
      if (!dragged || !event.dataTransfer) return;
      event.preventDefault();
      if (dragged === "link") onText(droppedText(event.dataTransfer));
      else if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
    };
    const listeners = {
      dragstart: onStart,
      dragend: onEnd,
      dragenter: onDrag,
      dragover: onDrag,
      dragleave: onLeave,
      drop: onDrop,
    };
    const all = Object.entries(listeners) as [string, EventListener][];
    for (const [type, listener] of all) window.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of all) window.removeEventListener(type, listener);
    };
  }, [onFiles, onText]);
  return over;
}

function whatIsDragged({ dataTransfer, target }: DragEvent): Dragged | null {
  const types = dataTransfer?.types ?? [];
  if (types.includes("Files")) return "files";
  // A field takes the text itself, and a dialog has the page to itself.
  if (!types.includes("text/uri-list") || isEditable(target) || isDialogOpen()) return null;
  return "link";
}

/** The addresses of a dropped link, one on each line; lines with "#" are remarks. */
export function droppedText(data: DataTransfer): string {
  const lines = data.getData("text/uri-list").split(/[\r\n]+/);
  return lines.filter((line) => !line.startsWith("#")).join("\n");
}
