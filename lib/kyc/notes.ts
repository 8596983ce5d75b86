import type { Actor } from "@/lib/auth/grant";
import { addNote, retractNote } from "@/lib/casework/note";
import type { Noting, Retracting } from "@/lib/casework/rules";
import { caseAt } from "./place";

/** Writes a note down about a case. Throws as `addNote` does. */
export const noteOnCase = (actor: Actor<"kyc:note">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, caseAt(actor.tenant, id), note);

/** Takes back one's own note about a case. Throws as `retractNote` does. */
export const retractOnCase = (actor: Actor<"kyc:note">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, caseAt(actor.tenant, id), noteId);
