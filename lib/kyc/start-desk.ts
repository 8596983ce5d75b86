import type { Actor } from "@/lib/auth/grant";
import { maskDocument } from "@/lib/contract/document";
import type { Draft, DraftAnswer } from "@/lib/draft";
import { keepDraft, openDraft, wasSent } from "@/lib/drafts/records";
import type { StartType, UnsettledStart } from "@/lib/kyc-start";
import { db } from "@/lib/store/store";
import type { StartDrafting } from "./start-rules";
import { openStarts, type OpenStart } from "./start-settle";

/** What the form to start a case opens with. */
export type StartDesk = {
  draft: Draft;
  /** What was typed there was sent, and nobody knows yet what became of it. */
  isSent: boolean;
  /** Of all our people. */
  unsettled: UnsettledStart[];
};

const formOf = (type: StartType) => `kyc-start-${type.toLowerCase()}`;

const viewOf = ({ start, document, ...open }: OpenStart): UnsettledStart => ({
  intentId: start.intentId,
  type: start.kycType,
  model: start.model,
  document: document === null ? null : maskDocument(document),
  byName: open.byName,
  at: start.createdAt.toISOString(),
  isSending: open.isSending,
  candidates: open.candidates,
  isNotFound: open.isNotFound,
});

/** The person's own form of this kind, as they left it, and the starts that wait to be settled. */
export async function readStartDesk(actor: Actor<"kyc:start">, type: StartType): Promise<StartDesk> {
  const store = await db();
  const draft = await openDraft(actor, formOf(type));
  const isSent = await wasSent(store, actor.tenant, draft.draftId);
  const open = await openStarts(store, actor.tenant);
  return {
    // What was sent is not for correcting any more.
    draft: isSent ? { ...draft, fields: null } : draft,
    isSent,
    unsettled: open.filter(({ start }) => start.waivedAt === null).map(viewOf),
  };
}

export const keepStartDraft = (actor: Actor<"kyc:start">, { type, order }: StartDrafting): Promise<DraftAnswer> =>
  keepDraft(actor, formOf(type), order);
