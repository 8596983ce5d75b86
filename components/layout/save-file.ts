/** Busy browsers read the address late, and no event tells when. */
const READ_BY_MS = 60_000;

export function saveFile(fileName: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READ_BY_MS);
}
