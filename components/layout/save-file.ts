/** A browser that is busy begins to read an address long after it was told to; there is no event that it has. */
const READ_BY_MS = 60_000;

/** Hands the bytes to the browser, which keeps them under this name; no address leads to them for anybody else. */
export function saveFile(fileName: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_BY_MS);
}
