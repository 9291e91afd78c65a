/**
 * Copies a text that is still on its way. Asked for before it arrives, because browsers allow
 * copying only soon after a click. Throws what the promise throws, or if the browser refuses.
 */
export async function copyText(text: Promise<string>): Promise<void> {
  if ("clipboard" in navigator) {
    const plain = text.then((value) => new Blob([value], { type: "text/plain" }));
    try {
      await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]);
    } catch (refused) {
      await text;
      throw refused;
    }
  } else if (!copyByCommand(await text)) {
    throw new Error("the browser did not copy");
  }
}

/** The clipboard API exists on https and localhost only; elsewhere the old command still works. */
function copyByCommand(text: string): boolean {
  const area = document.createElement("textarea");
  const focused = document.activeElement;
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
