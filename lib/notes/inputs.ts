import { z } from "zod";
import { FILE_NAME_LIMIT, FILE_REASON_LIMIT, NOTE_LIMIT } from "./view";
import { Required } from "@/lib/contract/shared";
import { env } from "@/lib/settings/env";

export const Noting = z.strictObject({ id: Required, noteId: z.uuid(), text: Required.max(NOTE_LIMIT) });
export type Noting = z.output<typeof Noting>;

export const Retracting = z.strictObject({ id: Required, noteId: z.uuid() });
export type Retracting = z.output<typeof Retracting>;

export const Removing = z.strictObject({ id: Required, fileId: z.uuid(), reason: Required.max(FILE_REASON_LIMIT) });
export type Removing = z.output<typeof Removing>;

// Neither a path, nor invisible or reordering characters.
const FileName = Required.transform((name) => name.split(/[/\\]/).at(-1) ?? "")
  .transform((name) =>
    name
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
      .trim()
      .slice(-FILE_NAME_LIMIT),
  )
  .pipe(Required);

export const FileNamed = z.strictObject({ fileId: z.uuid(), name: FileName });
export type FileSent = z.output<typeof FileNamed> & { bytes: Uint8Array };

/** Whether files are scanned for malware before they are stored. */
export const scansFiles = (): boolean => env().scanner !== null;
