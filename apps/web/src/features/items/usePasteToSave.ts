import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isDialogOpen, isEditable } from "../../shared/editable";
import { libraryInView } from "../libraries/libraryInView";
import { saveText } from "./saves";

/** Saves what is pasted anywhere but into a field: addresses as text, or files. */
export function usePasteToSave(): void {
  const client = useQueryClient();
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isEditable(event.target) || isDialogOpen()) return;
      if (event.clipboardData && take(client, event.clipboardData)) event.preventDefault();
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  }, [client]);
}

function take(client: QueryClient, data: DataTransfer): boolean {
  const libraryId = libraryInView(client)?.id ?? null;
  const files = [...data.files];
  if (files.length > 0) {
    void import("../uploads/uploads").then(({ uploadFiles }) =>
      uploadFiles(client, files, { libraryId }),
    );
    return true;
  }
  const text = data.getData("text/plain");
  if (!text.trim()) return false;
  void saveText(client, text, libraryId);
  return true;
}
