/** Busy browsers read the URL late, and no event tells when. */
const READ_BY_MS = 60_000;

export function followDownload(href: string, fileName: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = fileName;
  link.click();
}

export function saveFile(fileName: string, bytes: Blob): void {
  const address = URL.createObjectURL(bytes);
  followDownload(address, fileName);
  setTimeout(() => URL.revokeObjectURL(address), READ_BY_MS);
}
