import { FILE_TYPES, type FileType } from "@/lib/casework-terms";

const SIGNATURES: readonly [type: FileType, begins: Buffer][] = [
  ["application/pdf", Buffer.from("%PDF-", "latin1")],
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff])],
];

/** What the bytes are, whatever their name says; null for anything that is not taken. */
export function fileTypeOf(bytes: Uint8Array): FileType | null {
  const found = SIGNATURES.find(([, begins]) => begins.equals(bytes.subarray(0, begins.length)));
  return found === undefined ? null : found[0];
}

export const isFileType = (type: string): type is FileType => Object.hasOwn(FILE_TYPES, type);

/** The name under which it is downloaded: it ends as its bytes are, so that no program is misled by it. */
export function downloadName(name: string, type: FileType): string {
  const ending = FILE_TYPES[type];
  const isRight = name.toLowerCase().endsWith(`.${ending}`) || (ending === "jpg" && /\.jpeg$/i.test(name));
  return isRight ? name : `${name}.${ending}`;
}
