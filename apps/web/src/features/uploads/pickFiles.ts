import { FILE_TYPES } from "../../shared/kinds";

interface PickOptions {
  multiple: boolean;
  /** Only files of this kind; of all kinds when left out. */
  kind?: string;
}

/** Opens the file chooser; returns nothing when it is closed without a choice. */
export function pickFiles({ multiple, kind: only }: PickOptions): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = multiple;
    input.accept = FILE_TYPES.filter(({ kind }) => !only || kind === only)
      .flatMap(({ extension, content_type }) => [`.${extension}`, content_type])
      .join(",");
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
