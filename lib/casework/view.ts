/** What of ours is kept with a record of the provider's: `kyc:<kycUUID>`, `onboarding:<id>`. */
const CASEWORK_KINDS = ["kyc", "onboarding"] as const;
export type CaseworkObject = `${(typeof CASEWORK_KINDS)[number]}:${string}`;

export const NOTE_LIMIT = 4_000;
/** How long its author may take a note back. */
export const RETRACTABLE_MINUTES = 15;

/** `at` is ISO; a note that was taken back has no text any more, and `retractedAt`. */
export type Note = {
  id: string;
  byName: string;
  isMine: boolean;
  text: string | null;
  at: string;
  retractedAt: string | null;
  /** Until when this reader may take it back, ISO; null: not, or not any more. */
  retractableUntil: string | null;
};

/** What `addNote` of an area is given; `id` names the record, `noteId` is made when the form opens: sent twice, it is there once. */
export type NewNote = { id: string; noteId: string; text: string };
export type OneNote = { id: string; noteId: string };

export const FILE_MOST_BYTES = 10 * 1024 * 1024;
export const FILES_MOST = 20;
export const FILE_NAME_LIMIT = 200;
export const FILE_REASON_LIMIT = 500;
/** What a file may be, by its bytes; the name of each as files end in it. */
export const FILE_TYPES = { "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg" } as const;
export type FileType = keyof typeof FILE_TYPES;

/** How the browser names what it sends; the body is the file. */
export const FILE_HEADERS = { id: "x-file-id", name: "x-file-name" } as const;

/** `at` is ISO; `sha256` in hex, of the bytes as they were sent. */
export type CaseFile = {
  id: string;
  name: string;
  mediaType: FileType;
  sizeBytes: number;
  sha256: string;
  byName: string;
  isMine: boolean;
  at: string;
  removed: { byName: string; at: string; reason: string } | null;
};

export type FileRemoval = { id: string; fileId: string; reason: string };
