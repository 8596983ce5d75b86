import { requestFields, type RequestRow } from "./request-record";
import { and, eq } from "drizzle-orm";
import { AppError } from "@/lib/errors/app-error";
import { formatDocument, maskDocument } from "@/lib/contract/document";
import { openDrafts, saveDraft, wasSent } from "@/lib/drafts/drafts";
import type { DraftAnswer, DraftFields, OpenedDrafts } from "@/lib/drafts/view";
import { recordAccess } from "@/lib/audit/access-log";
import { admitReveal } from "@/lib/privacy/reveal";
import { onboardingDocument, shownOnboardingDocument } from "@/lib/db/document";
import { onboarding } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import type { OnboardingKind } from "@/lib/db/enums/onboarding";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { type Creator } from "./create";
import type { AccountDrafting, Prefilling } from "./create-inputs";
import type { EarlierAttempt, UnconfirmedAccount } from "./view";
import { type OpenRequest, openAccountRequests } from "./create-reconcile";

export type AccountFormState = OpenedDrafts & {
  kind: OnboardingKind;
  isSent: boolean;
  unconfirmed: UnconfirmedAccount[];
  earlier: EarlierAttempt | null;
};

const formOf = (kind: OnboardingKind, from: string | null) =>
  `account-${kind.toLowerCase()}${from === null ? "" : `-${from}`}`;

const documentIn = (fields: DraftFields) => fields["person.documentNumber"] ?? fields["legalPerson.documentNumber"];

const viewOf = ({ request, document, ...open }: OpenRequest): UnconfirmedAccount => ({
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

type FormWish = { kind: OnboardingKind; from: string | null; draftId?: string | null };

/** `from`: the attempt to retry, which decides the form's kind. */
export async function readAccountFormState(
  actor: Creator,
  { kind: wished, from, draftId = null }: FormWish,
): Promise<AccountFormState> {
  const { tenant } = actor;
  const store = await db();
  const attempt = from === null ? null : await findAttempt(store, tenant, from);
  if (attempt !== null) await recordAccess(actor, `onboarding:${attempt.row.id}`);
  const kind = attempt?.row.kind ?? wished;
  const opened = await openDrafts(actor, formOf(kind, attempt?.row.id ?? null), { draftId, documentIn });
  const { draft } = opened;
  const open = await openAccountRequests(store, tenant);
  return {
    ...opened,
    // A person who retries an attempt has chosen the form.
    isChosen: attempt !== null || opened.isChosen,
    kind,
    isSent: await wasSent(store, actor, draft.draftId),
    unconfirmed: open.filter(({ request }) => request.waivedAt === null).map(viewOf),
    earlier: attempt === null ? null : earlierView(attempt),
  };
}

export async function saveAccountDraft(actor: Creator, { type, from, order }: AccountDrafting): Promise<DraftAnswer> {
  const attempt = from === null ? null : await findAttempt(await db(), actor.tenant, from);
  if (from !== null && attempt?.row.kind !== type) throw new AppError("not-found");
  return saveDraft(actor, formOf(type, from), order);
}

/** All fields when it was requested here, else the document alone. Throws not-found, and as `admitReveal`. */
export async function prefillAccount(
  actor: Creator,
  { from, reason, note }: Prefilling,
): Promise<Record<string, string>> {
  const attempt = await findAttempt(await db(), actor.tenant, from);
  if (attempt === null) throw new AppError("not-found");
  const { row, request } = attempt;
  await admitReveal(actor, { code: "onboarding.prefill", object: `onboarding:${row.id}`, reason, note, detail: {} });
  const name = row.kind === "PF" ? "person.documentNumber" : "legalPerson.documentNumber";
  const fields = request === null ? {} : requestFields(request);
  return { ...fields, [name]: formatDocument(onboardingDocument(row)) };
}
