export const NOTE_LIMIT = 4_000;
export const RETRACTABLE_MINUTES = 15;

/** A withdrawn note has `retractedAt` and no text. */
export type Note = {
  id: string;
  byName: string;
  isMine: boolean;
  text: string | null;
  at: string;
  retractedAt: string | null;
  retractableUntil: string | null;
};

/** `noteId` is made when the form opens, so that a repeat adds no second note. */
export type NewNote = { id: string; noteId: string; text: string };
export type OneNote = { id: string; noteId: string };

export const FILE_MOST_BYTES = 10 * 1024 * 1024;
export const FILES_MAX = 20;
export const FILE_NAME_LIMIT = 200;
export const FILE_REASON_LIMIT = 500;
export const FILE_TYPES = { "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg" } as const;
export type FileType = keyof typeof FILE_TYPES;

export const FILE_HEADERS = { id: "x-file-id", name: "x-file-name" } as const;

/** `sha256` in hex, as sent. */
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
