import { and, eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { type IntentWish, intents } from "@/lib/bank/intent";
import { ageOn } from "@/lib/form-rules";
import { lookupHash } from "@/lib/store/seal";
import type { StartReview } from "@/lib/kyc-start";
import { publish } from "@/lib/live/publish";
import { lockByHashes } from "@/lib/store/hash-lock";
import { db, type Tx } from "@/lib/store/store";
import { civilDay } from "@/lib/time";
import { kycStart, kycStartMember } from "./schema";
import { companyStart, findStart, personStart } from "./start-kinds";
import { likenessesOf } from "./start-likeness";
import type { StartForm, StartOrder } from "./start-rules";
import { sealSubject, type Subject } from "./started";

type Starter = Actor<"kyc:start">;

const ADULT_AGE = 18;

const subjectOf = (form: StartForm): Subject =>
  form.type === "PF"
    ? { vatNumber: form.vatNumber, name: form.name, birthDate: form.birthDate, motherName: form.motherName }
    : { vatNumber: form.vatNumber, name: form.legalName, birthDate: null, motherName: null };

const membersOf = (form: StartForm) => (form.type === "PF" ? [] : form.qsa);

function minorsOf(form: StartForm): StartReview["minors"] {
  const today = civilDay(new Date());
  return [subjectOf(form), ...membersOf(form)]
    .flatMap(({ name, birthDate }) => (birthDate === null ? [] : [{ name, age: ageOn(birthDate, today) }]))
    .filter(({ age }) => age < ADULT_AGE);
}

/** What somebody must know of a right form before it is sent; that they asked is on record. */
export async function reviewStart(actor: Starter, form: StartForm): Promise<StartReview> {
  const { tenant, id: staffId } = actor;
  const { type, vatNumber: document } = form;
  const likenesses = await (
    await db()
  ).transaction(async (tx) => {
    const found = await likenessesOf(tx, { tenant, type, document, except: null });
    const detail = { kind: type, document: lookupHash(document), likenesses: found.length };
    await record(tx, { tenant, actor: staffId, code: "kyc.review-start", outcome: "DONE", detail });
    return found;
  });
  return {
    type,
    model: form.backgroundcheckModel,
    documentscopy: form.documentscopyFlag,
    likenesses,
    hasLetters: type === "PJ" && /[A-Z]/.test(document),
    minors: minorsOf(form),
  };
}

/** Refuses a start that may be one that was sent, and one like it that the person was not shown. */
async function refuseLikeness(tx: Tx, { tenant }: Starter, order: StartOrder): Promise<boolean> {
  const { type, vatNumber: document, intentId: except, seen } = order;
  // Two of the same document at once would not see each other.
  await lockByHashes(tx, document);
  const likenesses = await likenessesOf(tx, { tenant, type, document, except });
  if (likenesses.some(({ isUnsettled }) => isUnsettled)) throw new BankError("conflict", { code: "start-unsettled" });
  if (likenesses.some(({ ref }) => !seen.includes(ref))) throw new BankError("conflict", { code: "start-like" });
  return likenesses.length > 0;
}

async function keepMembers(tx: Tx, { tenant }: Starter, order: StartOrder): Promise<void> {
  const { intentId } = order;
  // The same form may have been refused with other partners.
  await tx.delete(kycStartMember).where(and(eq(kycStartMember.tenant, tenant), eq(kycStartMember.intentId, intentId)));
  const rows = membersOf(order).map(({ ownerType, ...subject }, position) => {
    const holder = { table: "kyc_start_member", row: [tenant, intentId, String(position)] } as const;
    return { tenant, intentId, position, ownerType, ...sealSubject(holder, subject) };
  });
  if (rows.length > 0) await tx.insert(kycStartMember).values(rows);
}

/** The start on record, with its INTENT. */
async function open(tx: Tx, actor: Starter, order: StartOrder): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { intentId, type: kycType, backgroundcheckModel: model, documentscopyFlag: documentscopy } = order;
  const isRepeat = await refuseLikeness(tx, actor, order);
  const started = {
    kycType,
    model,
    documentscopy,
    ...sealSubject({ table: "kyc_start", row: [tenant, intentId] }, subjectOf(order)),
    isRepeat,
    staffId,
    createdAt: sql`clock_timestamp()`,
  };
  await tx
    .insert(kycStart)
    .values({ tenant, intentId, ...started })
    .onConflictDoUpdate({ target: [kycStart.tenant, kycStart.intentId], set: started });
  await keepMembers(tx, actor, order);
  await publish(tx, { tenant, topic: "kyc", object: intentId });
  const detail = { kind: kycType, model, documentscopy, isRepeat };
  const what = { code: "kyc.start", intentId, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what });
}

function wishOf<Body>(actor: Starter, order: StartOrder, body: Body): IntentWish<Body> {
  const { intentId } = order;
  return { actor, intentId, object: `kyc-start:${intentId}`, body, opened: (tx) => open(tx, actor, order) };
}

async function send(actor: Starter, order: StartOrder): Promise<string | undefined> {
  const { intentId: _intent, seen: _seen, ...form } = order;
  if (form.type === "PF") {
    const { type: _type, ...body } = form;
    const done = await intents.carryOut(personStart, wishOf(actor, order, body));
    return done.state === "DONE" ? done.kept?.kycUUID : undefined;
  }
  const { type: _type, ...body } = form;
  const done = await intents.carryOut(companyStart, wishOf(actor, order, body));
  return done.state === "DONE" ? done.kept?.kycUUID : undefined;
}

/**
 * Starts a case, once for its form, and is billed once (interface: KYC › POST /v1/kyc/person, /company). Throws what
 * `Intents.carryOut` does, conflict `start-like` when the same document was started lately and the person has not seen it,
 * and `start-unsettled` when it is not known yet what became of such a start.
 */
export async function startCase(actor: Starter, order: StartOrder): Promise<{ kycUUID: string }> {
  const { tenant } = actor;
  const { intentId } = order;
  const answered = await send(actor, order);
  // Its answer was lost, and its effect found since.
  const kycUUID = answered ?? (await findStart(await db(), { tenant, intentId }))?.kycUUID ?? null;
  if (kycUUID === null) throw new BankError("conflict", { code: "intent-already-sent" });
  return { kycUUID };
}
