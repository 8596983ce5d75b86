import { randomUUID } from "node:crypto";
import { and, desc, eq, isNotNull, like, notInArray, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { maskWithin } from "@/lib/contract/document";
import { providerIntent } from "@/lib/db/tables/provider";
import { type Draft, type DraftAnswer, type DraftFields, type OpenedDrafts, STEP_FIELD, type Unfinished } from "./view";
import type { SealedTarget } from "@/lib/db/sealed-columns";
import { seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { db, type Db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import type { DraftOrder } from "./inputs";
import { draft } from "@/lib/db/tables/drafts";

type DraftRow = typeof draft.$inferSelect;

const Fields = z.record(z.string(), z.string());

const targetOf = (tenant: string, id: string): SealedTarget => ({ column: "draft.fields_sealed", row: [tenant, id] });

/** A draft that does not unseal counts as empty, and says so. */
function asDraft({ tenant, id, version, fieldsSealed, savedAt }: DraftRow): Draft {
  const typed = fieldsSealed === null ? null : unsealedOrNull(() => unseal(fieldsSealed, targetOf(tenant, id)));
  const fields = typed === null ? null : Fields.parse(JSON.parse(typed));
  const lost = fieldsSealed !== null && typed === null ? ({ isUnopened: true } as const) : {};
  return { draftId: id, version, fields, savedAt: fields === null ? null : savedAt.toISOString(), ...lost };
}

const ofPerson = ({ tenant, id }: Actor, form: string) =>
  and(eq(draft.tenant, tenant), eq(draft.staffId, id), eq(draft.form, form));

const asideOf = (form: string, id: string) => `${form}#${id}`;

const ofForm = ({ tenant, id }: Actor, form: string) =>
  and(eq(draft.tenant, tenant), eq(draft.staffId, id), or(eq(draft.form, form), like(draft.form, `${form}#%`)));

const named = (actor: Actor, form: string, id: string) => and(ofForm(actor, form), eq(draft.id, id));

/** The current draft: every tab writes to it, and its id becomes the intent. */
export async function openDraft(actor: Actor, form: string): Promise<Draft> {
  const store = await db();
  const find = () => store.select().from(draft).where(ofPerson(actor, form));
  const [found] = await find();
  if (found !== undefined) return asDraft(found);
  const { tenant, id: staffId } = actor;
  await store.insert(draft).values({ tenant, id: randomUUID(), staffId, form }).onConflictDoNothing();
  const [begun] = await find();
  if (begun === undefined) throw new Error(`the draft of ${form} was not begun`);
  return asDraft(begun);
}

async function setAside(actor: Actor, form: string): Promise<void> {
  const store = await db();
  const [current] = await store.select().from(draft).where(ofPerson(actor, form));
  if (current === undefined || current.fieldsSealed === null) return;
  const { tenant, id } = current;
  await store
    .update(draft)
    .set({ form: asideOf(form, id) })
    .where(and(eq(draft.tenant, tenant), eq(draft.id, id)));
}

type DraftRequest = {
  draftId: string | null;
  documentIn: (fields: DraftFields) => string | undefined;
};

function unfinishedIn(opened: Draft, documentIn: DraftRequest["documentIn"]): Unfinished[] {
  const { draftId, fields, savedAt } = opened;
  if (fields === null || savedAt === null) return [];
  const typed = documentIn(fields)?.trim() ?? "";
  const masked = maskWithin(typed);
  return [{ draftId, savedAt, step: fields[STEP_FIELD] ?? null, subject: masked === typed ? null : masked }];
}

export async function openDrafts(
  actor: Actor,
  form: string,
  { draftId, documentIn }: DraftRequest,
): Promise<OpenedDrafts> {
  const store = await db();
  const current = await openDraft(actor, form);
  const rows = await store.select().from(draft).where(ofForm(actor, form)).orderBy(desc(draft.savedAt));
  const all = rows.map(asDraft);
  const chosen = all.find((one) => one.draftId === draftId);
  const isChosen = chosen !== undefined || current.fields === null;
  const shown = chosen ?? current;
  const others = isChosen ? all.filter((one) => one.draftId !== shown.draftId) : all;
  return { draft: shown, unfinished: others.flatMap((one) => unfinishedIn(one, documentIn)), isChosen };
}

/** The person's drafts of forms with this prefix, newest first. */
export async function listDrafts({ tenant, id }: Actor, begin: string): Promise<{ form: string; draft: Draft }[]> {
  const store = await db();
  const rows = await store
    .select()
    .from(draft)
    .where(
      and(
        eq(draft.tenant, tenant),
        eq(draft.staffId, id),
        like(draft.form, `${begin}%`),
        isNotNull(draft.fieldsSealed),
      ),
    )
    .orderBy(desc(draft.savedAt));
  return rows.map((row) => ({ form: row.form, draft: asDraft(row) }));
}

/** Unfinished drafts per person; empty ones do not count. */
export const DRAFTS_MAX = 50;

async function requireRoom(tx: Tx, { tenant, id }: Actor): Promise<void> {
  await holdLock(tx, `${tenant} drafts ${id}`);
  const isKept = and(eq(draft.tenant, tenant), eq(draft.staffId, id), isNotNull(draft.fieldsSealed));
  if ((await tx.$count(draft, isKept)) >= DRAFTS_MAX) throw new AppError("conflict", { code: "drafts-full" });
}

async function save(actor: Actor, form: string, order: DraftOrder & { do: "save" }): Promise<DraftAnswer> {
  const { draftId, version, fields } = order;
  const store = await db();
  const [saved] = await store.transaction(async (tx) => {
    if (version === 0) await requireRoom(tx, actor);
    return tx
      .update(draft)
      .set({
        version: sql`${draft.version} + 1`,
        fieldsSealed: seal(JSON.stringify(fields), targetOf(actor.tenant, draftId)),
        savedAt: sql`clock_timestamp()`,
      })
      .where(and(named(actor, form, draftId), eq(draft.version, version)))
      .returning();
  });
  // The fields just saved are not returned.
  if (saved !== undefined) return { draft: { ...asDraft(saved), fields: null }, isOther: false };
  const [other] = await store
    .select()
    .from(draft)
    .where(named(actor, form, draftId));
  if (other === undefined) throw new AppError("not-found", { code: "draft-gone" });
  return { draft: asDraft(other), isOther: true };
}

/** Throws not-found `draft-gone` when it was sent or discarded elsewhere, conflict `drafts-full`. */
export async function saveDraft(actor: Actor, form: string, order: DraftOrder): Promise<DraftAnswer> {
  if (order.do === "save") return save(actor, form, order);
  if (order.do === "discard") await (await db()).delete(draft).where(named(actor, form, order.draftId));
  // An empty draft: a lost one is never replaced by another customer's.
  if (order.do !== "read") await setAside(actor, form);
  return { draft: await openDraft(actor, form), isOther: false };
}

/** `id`: whoever ordered it, who may not be a person. */
type Orderer = Pick<Actor, "tenant" | "id">;

const theirs = ({ tenant, id }: Orderer, draftId: string) =>
  and(eq(draft.tenant, tenant), eq(draft.id, draftId), eq(sql`${draft.staffId}::text`, id));

export async function dropDraft(tx: Db | Tx, orderer: Orderer, draftId: string): Promise<void> {
  await tx.delete(draft).where(theirs(orderer, draftId));
}

/** Gets a new id, so that it may be sent again. In the transaction that ends the earlier one. */
export async function renewDraft(tx: Db | Tx, orderer: Orderer, draftId: string): Promise<void> {
  const { tenant } = orderer;
  const [stored] = await tx.select().from(draft).where(theirs(orderer, draftId));
  if (stored === undefined) return;
  const id = randomUUID();
  const { fieldsSealed } = stored;
  const sealed =
    fieldsSealed === null ? null : seal(unseal(fieldsSealed, targetOf(tenant, draftId)), targetOf(tenant, id));
  await tx.update(draft).set({ id, fieldsSealed: sealed }).where(theirs(orderer, draftId));
}

/** False while in flight, as the page that sent it waits for the answer. */
export async function wasSent(store: Db, { tenant, id: orderer }: Orderer, draftId: string): Promise<boolean> {
  const { id, state, actor } = providerIntent;
  const isTheirs = and(eq(providerIntent.tenant, tenant), eq(actor, orderer));
  const sent = and(isTheirs, eq(id, draftId), notInArray(state, ["SENDING", "REFUSED"]));
  return (await store.select({ id }).from(providerIntent).where(sent)).length > 0;
}
