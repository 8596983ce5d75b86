import type { Actor } from "@/lib/auth/grant";
import { addNote, retractNote } from "@/lib/casework/note";
import type { Noting, Retracting } from "@/lib/casework/rules";
import { onboardingAt } from "./place";

/** Writes a note down about an onboarding. Throws as `addNote` does. */
export const noteOnOnboarding = (actor: Actor<"onboarding:follow">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, onboardingAt(actor.tenant, id), note);

/** Takes back one's own note about an onboarding. Throws as `retractNote` does. */
export const retractOnOnboarding = (actor: Actor<"onboarding:follow">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, onboardingAt(actor.tenant, id), noteId);
