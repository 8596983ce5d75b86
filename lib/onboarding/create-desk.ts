import { and, eq } from "drizzle-orm";
import type { EarlierAttempt, UnsettledAccount } from "@/lib/account-creation";
import { record } from "@/lib/audit/record";
import { BankError } from "@/lib/bank/error";
import { formatDocument, maskDocument } from "@/lib/contract/document";
import type { Draft, DraftAnswer } from "@/lib/draft";
import { keepDraft, openDraft, wasSent } from "@/lib/drafts/records";
import type { OnboardingKind } from "@/lib/onboarding-view";
import { look } from "@/lib/privacy/look";
import { onboardingDocument, shownOnboardingDocument } from "@/lib/store/document";
import { onboarding } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { isUuid } from "@/lib/uuid";
import type { Creator } from "./create";
import { requestFields } from "./create-form";
import type { RequestRow } from "./create-kind";
import type { AccountDrafting, Prefilling } from "./create-rules";
import { openRequests, type OpenRequest } from "./create-settle";
import { onboardingRequest } from "./schema";

/** What the form to ask for an account opens with. */
export type AccountDesk = {
  kind: OnboardingKind;
  draft: Draft;
  /** What was typed there was sent, and nobody knows yet what became of it. */
  isSent: boolean;
  /** Of all our people. */
  unsettled: UnsettledAccount[];
  /** The attempt that the new one takes up again. */
  earlier: EarlierAttempt | null;
};

const formOf = (kind: OnboardingKind) => `account-${kind.toLowerCase()}`;

const viewOf = ({ request, document, ...open }: OpenRequest): UnsettledAccount => ({
  intentId: request.intentId,
  kind: request.kind,
  document: document === null ? null : maskDocument(document),
  byName: open.byName,
  at: request.createdAt.toISOString(),
  isSending: open.isSending,
  candidates: open.candidates,
  isNotFound: open.isNotFound,
});

type Attempt = { row: typeof onboarding.$inferSelect; request: RequestRow | null };

async function findAttempt(store: Db, tenant: string, id: string): Promise<Attempt | null> {
  if (!isUuid(id)) return null;
  const [found] = await store
    .select({ row: onboarding, request: onboardingRequest })
    .from(onboarding)
    .leftJoin(onboardingRequest, eq(onboardingRequest.onboardingId, onboarding.id))
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  return found ?? null;
}

function earlierView({ row, request }: Attempt): EarlierAttempt {
  const { id, kind, status } = row;
  return { id, kind, document: shownOnboardingDocument(row).mask, status, isOurs: request !== null };
}

export type DeskWish = { kind: OnboardingKind; from: string | null };

/** The person's own form of this kind, as they left it; `from` is the attempt to take up again, whose kind it then is. */
export async function readAccountDesk(actor: Creator, { kind: wished, from }: DeskWish): Promise<AccountDesk> {
  const { tenant } = actor;
  const store = await db();
  const attempt = from === null ? null : await findAttempt(store, tenant, from);
  if (attempt !== null) await look(actor, `onboarding:${attempt.row.id}`);
  const kind = attempt?.row.kind ?? wished;
  const draft = await openDraft(actor, formOf(kind));
  const open = await openRequests(store, tenant);
  return {
    kind,
    draft,
    isSent: await wasSent(store, tenant, draft.draftId),
    unsettled: open.filter(({ request }) => request.waivedAt === null).map(viewOf),
    earlier: attempt === null ? null : earlierView(attempt),
  };
}

export const keepAccountDraft = (actor: Creator, { type, order }: AccountDrafting): Promise<DraftAnswer> =>
  keepDraft(actor, formOf(type), order);

/**
 * What an earlier attempt was asked for with, for the fields of a form: all of it when that was done here, else the document
 * alone. That it was taken is on record before it is given. Throws not-found.
 */
export async function prefillAccount(actor: Creator, { from }: Prefilling): Promise<Record<string, string>> {
  const { tenant, id: staffId } = actor;
  const store = await db();
  const attempt = await findAttempt(store, tenant, from);
  if (attempt === null) throw new BankError("not-found");
  const { row, request } = attempt;
  const what = { code: "onboarding.prefill", outcome: "DONE", object: `onboarding:${row.id}` } as const;
  await record(store, { tenant, actor: staffId, ...what });
  const name = row.kind === "PF" ? "person.documentNumber" : "legalPerson.documentNumber";
  const told = request === null ? {} : requestFields(request);
  return { ...told, [name]: formatDocument(onboardingDocument(row)) };
}
