import { and, eq, inArray, ne, not } from "drizzle-orm";
import { maskWithin } from "@/lib/contract/document";
import { type Db, db } from "@/lib/db/connection";
import type { TransferKind } from "@/lib/db/enums/transfers";
import { approval } from "@/lib/db/tables/approvals";
import { account } from "@/lib/db/tables/customers";
import { providerIntent } from "@/lib/db/tables/provider";
import { listDrafts, saveDraft } from "@/lib/drafts/drafts";
import type { Draft, DraftAnswer, DraftFields } from "@/lib/drafts/view";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { isUnsentSql } from "@/lib/provider/intents/intent-record";
import { isUuid } from "@/lib/text/decode";
import { maskName } from "@/lib/text/masks";
import { readReais } from "@/lib/text/typed-amount";
import type { TransferDrafting } from "./inputs";
import { reportedPayee } from "./payees";
import type { UnfinishedTransfer } from "./view";

type Orderer = Actor<"transfers:create">;

export const formOf = (kind: TransferKind, from: string) => `transfer-${kind.toLowerCase()}-${from}`;

const FORM = /^transfer-(internal|external)-([^#]+)/;

export async function saveTransferDraft(actor: Orderer, { kind, from, order }: TransferDrafting): Promise<DraftAnswer> {
  const isPayer = and(eq(account.tenant, actor.tenant), eq(account.ref, from));
  if ((await (await db()).$count(account, isPayer)) === 0) throw new AppError("not-found");
  return saveDraft(actor, formOf(kind, from), order);
}

/** An ordered transfer has its own screen. */
async function orderedOf(store: Db, tenant: string, ids: string[]): Promise<Set<string>> {
  const isProposed = and(eq(approval.tenant, tenant), inArray(approval.intentId, ids));
  const isSent = and(
    eq(providerIntent.tenant, tenant),
    inArray(providerIntent.id, ids),
    ne(providerIntent.state, "REFUSED"),
  );
  const proposed = await store.select({ id: approval.intentId }).from(approval).where(isProposed);
  const sent = await store.select({ id: providerIntent.id }).from(providerIntent).where(isSent);
  return new Set([...proposed, ...sent].map(({ id }) => id));
}

/** Refused by the provider, and not corrected since: the form is finished, while its text is kept for who goes back to it. */
export async function refusedOf(
  store: Db,
  tenant: string,
  drafts: readonly Pick<Draft, "draftId" | "savedAt">[],
): Promise<Set<string>> {
  const { id, state, finishedAt } = providerIntent;
  const ids = drafts.map(({ draftId }) => draftId);
  const isRefused = and(eq(providerIntent.tenant, tenant), inArray(id, ids), eq(state, "REFUSED"), not(isUnsentSql));
  const rows = await store.select({ id, finishedAt }).from(providerIntent).where(isRefused);
  const refused = new Map(rows.map((row) => [row.id, row.finishedAt]));
  const isUncorrected = ({ draftId, savedAt }: (typeof drafts)[number]) => {
    const at = refused.get(draftId);
    return at != null && savedAt !== null && new Date(savedAt) <= at;
  };
  return new Set(drafts.filter(isUncorrected).map(({ draftId }) => draftId));
}

async function payeeNameOf(store: Db, tenant: string, id: string): Promise<string> {
  if (!isUuid(id)) return "";
  try {
    return maskName((await reportedPayee(store, tenant, id)).name);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return "";
  }
}

/** May be a mistyped document. */
const BARE = /^\d{11}(\d{3})?$/;
const shown = (text: string) => (BARE.test(maskWithin(text)) ? "" : maskWithin(text));

/** A document is masked, whole or mistyped; a name by its initials. */
async function paidIn(store: Db, tenant: string, fields: DraftFields): Promise<string> {
  const typed = (name: string) => fields[name]?.trim() ?? "";
  const name = typed("name");
  const number = [typed("branchCode"), typed("accountCode")].filter((part) => part !== "").join(" / ");
  const saved = await payeeNameOf(store, tenant, typed("payee"));
  return saved || (name && maskName(name)) || shown(typed("document")) || number || shown(typed("to"));
}

/** The person's own drafts, of any account and either kind. */
export async function listTransferDrafts(actor: Orderer): Promise<UnfinishedTransfer[]> {
  const { tenant } = actor;
  const store = await db();
  const stored = (await listDrafts(actor, "transfer-")).flatMap(({ form, draft }) => {
    const [, kind, from = ""] = FORM.exec(form) ?? [];
    return isUuid(from) ? [{ ...draft, from, kind: kind === "internal" ? "INTERNAL" : "EXTERNAL" } as const] : [];
  });
  const refs = stored.map(({ from }) => from);
  const isPayer = and(eq(account.tenant, tenant), inArray(account.ref, refs));
  const payers = new Map((await store.select().from(account).where(isPayer)).map((row) => [row.ref, row]));
  const ids = stored.map(({ draftId }) => draftId);
  const ended = new Set([...(await orderedOf(store, tenant, ids)), ...(await refusedOf(store, tenant, stored))]);
  const named = stored.map(async ({ draftId, fields, savedAt, from, kind }): Promise<UnfinishedTransfer[]> => {
    const payer = payers.get(from);
    if (payer === undefined || fields === null || savedAt === null || ended.has(draftId)) return [];
    const paid = await paidIn(store, tenant, fields);
    const ways = [`${payer.branch} / ${payer.number}`, paid].filter((side) => side !== "").join(" → ");
    const typed = fields["amount"]?.trim() ?? "";
    const amount = readReais(typed) ?? typed;
    return [{ draftId, savedAt, step: null, subject: ways, amount, kind, from, at: { from, type: kind } }];
  });
  return (await Promise.all(named)).flat();
}
