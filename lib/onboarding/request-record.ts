import { and, asc, eq, gt, inArray, isNull, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { z } from "zod";
import { maskDocument } from "@/lib/contract/document";
import type { Db, Tx } from "@/lib/db/connection";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { SealedTarget } from "@/lib/db/sealed-columns";
import { onboarding } from "@/lib/db/tables/customers";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import type { DraftFields } from "@/lib/drafts/view";
import { isNotRuledOut } from "@/lib/provider/intents/candidates";
import type { Intent } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import type { AccountForm, AccountOrder } from "./create-inputs";
import type { AccountCandidate } from "./view";

export type RequestRow = typeof onboardingRequest.$inferSelect;

const Fields = z.record(z.string(), z.string());

const targetOf = (
  { tenant, intentId }: Pick<RequestRow, "tenant" | "intentId">,
  column: "document_sealed" | "form_sealed",
): SealedTarget => ({ column: `onboarding_request.${column}`, row: [tenant, intentId] });

const DATE = /^(\d{2})-(\d{2})-(\d{4})$/;

function typed(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.replace(DATE, "$1/$2/$3") : "";
}

function flat(value: unknown, path: string): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, typed(value)]];
  return Object.entries(value).flatMap(([name, part]) => flat(part, path === "" ? name : `${path}.${name}`));
}

export const orderedDocument = (form: AccountForm): string =>
  form.type === "PF" ? form.person.documentNumber : form.legalPerson.documentNumber;

function withoutPassword(order: AccountOrder): AccountForm {
  const { email } = order;
  return order.type === "PF"
    ? { type: "PF", email, person: order.person, bankDocuments: order.bankDocuments }
    : { type: "PJ", email, legalPerson: order.legalPerson, bankDocuments: order.bankDocuments };
}

export function fieldsOf({ type: _type, ...form }: AccountForm): Record<string, string> {
  const fields = Object.fromEntries(flat(form, "").filter(([, text]) => text !== ""));
  if (!("legalPerson" in form)) return fields;
  const own = form.legalPerson.owner.map(({ address }, place) => [
    `legalPerson.owner.${place}.ownAddress`,
    address === null ? "" : "yes",
  ]);
  return { ...fields, ...Object.fromEntries(own), owners: String(form.legalPerson.owner.length) };
}

export function sealRequest(row: Pick<RequestRow, "tenant" | "intentId">, order: AccountOrder) {
  const form = withoutPassword(order);
  const document = orderedDocument(form);
  return {
    documentHash: lookupHash(document),
    documentSealed: seal(document, targetOf(row, "document_sealed")),
    formSealed: seal(JSON.stringify(fieldsOf(form)), targetOf(row, "form_sealed")),
  };
}

export const requestDocument = (row: RequestRow): string =>
  unseal(row.documentSealed, targetOf(row, "document_sealed"));

export const requestFields = (row: RequestRow): DraftFields =>
  Fields.parse(JSON.parse(unseal(row.formSealed, targetOf(row, "form_sealed"))));

const named = ({ tenant, intentId }: Pick<RequestRow, "tenant" | "intentId">) =>
  and(eq(onboardingRequest.tenant, tenant), eq(onboardingRequest.intentId, intentId));

export async function findAccountRequest(
  tx: Db | Tx,
  request: Pick<RequestRow, "tenant" | "intentId">,
): Promise<RequestRow | null> {
  const [row] = await tx.select().from(onboardingRequest).where(named(request));
  return row ?? null;
}

/** False when the request or the onboarding is already linked. */
export async function linkRequest(tx: Db | Tx, request: RequestRow, onboardingId: string): Promise<boolean> {
  const other = alias(onboardingRequest, "other");
  const taken = tx.select({ id: other.intentId }).from(other).where(eq(other.onboardingId, onboardingId));
  const linked = await tx
    .update(onboardingRequest)
    .set({ onboardingId })
    .where(and(named(request), isNull(onboardingRequest.onboardingId), notExists(taken)))
    .returning({ id: onboardingRequest.intentId });
  return linked.length > 0;
}

/** With its document, first stored after sending, and linked to no other request. */
export async function onboardingCandidates(
  store: Db | Tx,
  request: RequestRow,
  document: string | null,
): Promise<AccountCandidate[]> {
  const { tenant, afterSeq } = request;
  if (afterSeq === null || document === null) return [];
  const claimant = alias(onboardingRequest, "claimant");
  const claimed = store
    .select({ id: claimant.intentId })
    .from(claimant)
    .where(eq(claimant.onboardingId, onboarding.id));
  const { id, firstSeenAt, status } = onboarding;
  const rows = await store
    .select({ id, firstSeenAt, status })
    .from(onboarding)
    .where(
      and(
        eq(onboarding.tenant, tenant),
        inArray(onboarding.documentHash, lookupHashes(document)),
        gt(onboarding.seq, afterSeq),
        notExists(claimed),
        isNotRuledOut(store, request, sql`${onboarding.id}::text`),
      ),
    )
    .orderBy(asc(onboarding.seq));
  return rows.map((row) => ({ ...row, firstSeenAt: row.firstSeenAt.toISOString() }));
}

export const openDocument = (request: RequestRow) => unsealedOrNull(() => requestDocument(request));

export async function onboardingCandidateIds(tx: Db | Tx, { tenant, id }: Intent): Promise<string[]> {
  const request = await findAccountRequest(tx, { tenant, intentId: id });
  if (request === null || request.onboardingId !== null) return [];
  return (await onboardingCandidates(tx, request, openDocument(request))).map((candidate) => candidate.id);
}

export async function describeAccountRequest(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const request = await findAccountRequest(tx, { tenant, intentId });
  const document = request === null ? null : openDocument(request);
  return { subject: document === null ? null : maskDocument(document), amount: null, href: "/onboarding/new" };
}
