import type { Actor } from "@/lib/permission/grant";
import { maskDocument } from "@/lib/contract/document";
import type { DraftAnswer, OpenedDrafts } from "@/lib/drafts/view";
import { openDrafts, saveDraft, wasSent } from "@/lib/drafts/drafts";
import { db } from "@/lib/db/connection";
import type { StartDrafting } from "./inputs";
import type { StartType, UnconfirmedStart } from "./view";
import { type OpenStart, openStarts } from "./start-reconcile";

export type StartFormState = OpenedDrafts & {
  isSent: boolean;
  unconfirmed: UnconfirmedStart[];
};

const formOf = (type: StartType) => `kyc-start-${type.toLowerCase()}`;

const viewOf = ({ start, document, ...open }: OpenStart): UnconfirmedStart => ({
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

export async function readStartFormState(
  actor: Actor<"kyc:start">,
  type: StartType,
  draftId: string | null = null,
): Promise<StartFormState> {
  const store = await db();
  const opened = await openDrafts(actor, formOf(type), { draftId, documentIn: (fields) => fields["vatNumber"] });
  const { draft } = opened;
  const isSent = await wasSent(store, actor, draft.draftId);
  const open = await openStarts(store, actor.tenant);
  return {
    ...opened,
    // A sent form cannot be corrected any more.
    draft: isSent ? { ...draft, fields: null } : draft,
    isSent,
    unconfirmed: open.filter(({ start }) => start.waivedAt === null).map(viewOf),
  };
}

export const saveStartDraft = (actor: Actor<"kyc:start">, { type, order }: StartDrafting): Promise<DraftAnswer> =>
  saveDraft(actor, formOf(type), order);
