import { ACCEPTED_FILES } from "./fileCheck";

/** Opens the file chooser; answers nothing when it is closed without a choice. */
export function pickFiles({ multiple, accept = ACCEPTED_FILES }: PickOptions): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = multiple;
    input.accept = accept;
    input.addEventListener("change", () => resolve([...(input.files ?? [])]));
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}

interface PickOptions {
  multiple: boolean;
  accept?: string;
}
