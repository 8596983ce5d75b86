/** What of ours is kept with a record of the provider's: `kyc:<kycUUID>`, `onboarding:<id>`. */
export const CASEWORK_KINDS = ["kyc", "onboarding"] as const;
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
