import { z } from "zod";
import { NOTE_LIMIT } from "@/lib/casework-terms";
import { Required } from "@/lib/contract/shared";

/** A note as its form sends it; `id` names the record, and is checked by its area. */
export const Noting = z.strictObject({ id: Required, noteId: z.uuid(), text: Required.max(NOTE_LIMIT) });
export type Noting = z.output<typeof Noting>;

export const Retracting = z.strictObject({ id: Required, noteId: z.uuid() });
export type Retracting = z.output<typeof Retracting>;
