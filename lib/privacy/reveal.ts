import { randomUUID } from "node:crypto";
import { and, count, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { AuditCode } from "@/lib/audit/codes";
import { record, recordAll } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { getSession } from "@/lib/auth/session";
import { AppError } from "@/lib/errors/app-error";
import { formatDocument, maskWithin } from "@/lib/contract/document";
import { startOfCase } from "@/lib/db/started-case";
import { REVEAL_SECOND_PERSON, STEP_UP } from "@/lib/errors/result";
import { isUnattended } from "@/lib/log/work";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/db/clock";
import { accountDocument, onboardingDocument } from "@/lib/db/document";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { lookupHash, seal, unsealedOrNull, unseal } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { isUuid } from "@/lib/text/decode";
import { safeLink } from "@/lib/text/safe-link";
import { isWebAddress } from "@/lib/text/shown-body";
import { type MaybeReasoned, revealedObject, type Revealing } from "./inputs";
import { openAlarm } from "./reveal-alarms";
import { reveal } from "@/lib/db/tables/privacy";
import { OPEN_FOR_MS, type Revealed } from "./view";
import type { CustomerObject, RevealedObject, RevealReason } from "@/lib/db/enums/privacy";

/** More within an hour are flagged, and need a recent proof. */
export const USUAL_PER_HOUR = 20;
/** More within an hour need a second person, who allows as many again. */
export const ALONE_PER_HOUR = 60;

const HOUR_MS = 3_600_000;

async function startedWith(store: Db, tenant: string, { id, field, member }: Revealing): Promise<string> {
  const start = await startOfCase(store, tenant, id);
  const subject = member === null ? start?.subject : start?.members[member];
  if (subject === undefined) throw new AppError("not-found");
  const { vatNumber, name, birthDate, motherName } = subject;
  if (field === "document") return formatDocument(vatNumber);
  return [name, birthDate?.replaceAll("-", "/"), motherName].filter((part) => part).join(" · ");
}

/** A field of an account's or an onboarding's record in clear; null when absent. */
type ReadField = (actor: Actor, ref: string, path: string) => Promise<string | null>;

async function clearOf(store: Db, actor: Actor, asked: Revealing, readField: ReadField): Promise<string> {
  const { kind, id, path } = asked;
  const { tenant } = actor;
  if (kind === "kyc") return startedWith(store, tenant, asked);
  if (path !== null) {
    const revealed = await readField(actor, id, path);
    if (revealed !== null) return revealed;
    throw new AppError("not-found");
  }
  if (kind === "account") {
    const [row] = await store
      .select()
      .from(account)
      .where(and(eq(account.tenant, tenant), eq(account.ref, id)));
    if (row !== undefined) return formatDocument(accountDocument(row));
  } else {
    const [row] = await store
      .select()
      .from(onboarding)
      .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
    if (row !== undefined) return formatDocument(onboardingDocument(row));
  }
  throw new AppError("not-found");
}

const within = { hour: storeTimeBefore(HOUR_MS) };

export async function countOfLastHour(tx: Tx, { tenant, id }: Pick<Actor, "tenant" | "id">): Promise<number> {
  const isTheirs = and(eq(reveal.tenant, tenant), eq(reveal.actor, id), gt(reveal.createdAt, within.hour));
  const [revealed] = await tx.select({ times: count() }).from(reveal).where(isTheirs);
  return revealed?.times ?? 0;
}

async function allowedAnHour(tx: Tx, { tenant, id }: Actor): Promise<number> {
  const isTheirs = and(eq(auditEvent.tenant, tenant), eq(auditEvent.actor, id));
  const isAgreed = and(isTheirs, eq(auditEvent.code, "personal-data.more"), gt(auditEvent.at, within.hour));
  return ALONE_PER_HOUR * (1 + (await tx.$count(auditEvent, isAgreed)));
}

async function flag(tx: Tx, { tenant, id: actor }: Actor, reveals: number): Promise<void> {
  const code = "personal-data.unusual";
  const isFlag = and(eq(auditEvent.tenant, tenant), eq(auditEvent.actor, actor), eq(auditEvent.code, code));
  if ((await tx.$count(auditEvent, and(isFlag, gt(auditEvent.at, within.hour)))) > 0) return;
  await record(tx, { tenant, actor, code, outcome: "DONE", detail: { reveals } });
}

/** Audit codes of data shown in clear; the access log lists them all. */
export const CLEAR_CODES = [
  "personal-data.reveal",
  "personal-data.file",
  "onboarding.prefill",
  "pix-key.look-up",
] as const satisfies readonly AuditCode[];

type Why = { reason: RevealReason; note: string };

type ClearAccess = Why & {
  object: RevealedObject;
  code: (typeof CLEAR_CODES)[number];
  detail: Readonly<Record<string, string | number | null>>;
};

type Admission = ClearAccess & { actor: Actor; isProven: boolean };

const refusal = (code: string) => new AppError("forbidden", { code });

/** Audits who wants to see what, and why; or, when refused, only that it is unusual. */
async function admit(tx: Tx, { actor, isProven, ...asked }: Admission): Promise<string | AppError> {
  const { tenant, id: staffId } = actor;
  // Two windows of one person are counted one after the other.
  await holdLock(tx, `reveal ${tenant} ${staffId}`);
  const reveals = await countOfLastHour(tx, actor);
  const isUnusual = reveals >= USUAL_PER_HOUR;
  if (isUnusual) await flag(tx, actor, reveals);
  if (isUnusual && !isProven) return refusal(STEP_UP);
  if (isUnusual && reveals >= (await allowedAnHour(tx, actor))) return refusal(REVEAL_SECOND_PERSON);
  const id = randomUUID();
  const { object, code, detail, reason, note } = asked;
  const noteSealed = seal(note, { column: "reveal.note_sealed", row: [id] });
  const createdAt = sql`clock_timestamp()`;
  await tx.insert(reveal).values({ id, tenant, actor: staffId, object, reason, noteSealed, createdAt });
  const alarms = await openAlarm(tx, actor);
  const shown = { tenant, actor: staffId, code, outcome: "DONE", object, intentId: id } as const;
  await recordAll(tx, [{ ...shown, detail: { ...detail, reason, note: lookupHash(note) } }, ...alarms]);
  return id;
}

/** Awaited before anything is returned in clear, in every way. Throws forbidden `step-up` after twenty in an hour, `reveal-second-person` after sixty. */
export async function admitReveal(actor: Actor, asked: ClearAccess): Promise<string> {
  // What a watch does in somebody's name stands in no request.
  const isProven = !isUnattended() && (await getSession())?.isProven === true;
  const store = await db();
  const admitted = await store.transaction((tx) => admit(tx, { ...asked, actor, isProven }));
  if (typeof admitted !== "string") throw admitted;
  return admitted;
}

const TAKEN_WITHIN_MS = 60_000;

type FileAccess = MaybeReasoned & { object: CustomerObject; file: string };

/** An id to download that file, names in clear, for a minute. Throws forbidden `reveal-reason`, and as `admitReveal`. */
export async function admitFile(actor: Actor, { file, object, ...asked }: FileAccess): Promise<string> {
  const { under, ...why } = await reasonFor(actor, object, asked);
  return admitReveal(actor, {
    ...why,
    object,
    code: "personal-data.file",
    detail: { file: maskWithin(file), ...under },
  });
}

type Admitted = { object: CustomerObject; file: string; revealId: string };

/** Throws forbidden `names-unasked`. */
export async function requireAdmitted({ tenant, id }: Actor, { object, file, revealId }: Admitted): Promise<void> {
  const { actor, code, detail, at, intentId } = auditEvent;
  const isTheirs = and(eq(auditEvent.tenant, tenant), eq(actor, id), eq(auditEvent.object, object));
  const isIt = and(eq(code, "personal-data.file"), sql`${detail}->>'file' = ${maskWithin(file)}`);
  const isAdmitted = and(eq(intentId, revealId), isTheirs, isIt, gt(at, storeTimeBefore(TAKEN_WITHIN_MS)));
  const times = isUuid(revealId) ? await (await db()).$count(auditEvent, isAdmitted) : 0;
  if (times === 0) throw new AppError("forbidden", { code: "names-unasked" });
}

/** Of what was shown; a reason for one of them covers the others. */
const REASONED = ["personal-data.reveal", "personal-data.file"] as const satisfies readonly AuditCode[];

/** The reason that this person gave for this record within the last ten minutes; its use does not prolong it. */
async function openReason(store: Db, { tenant, id: staffId }: Actor, object: CustomerObject) {
  const { id, reason, noteSealed, createdAt } = reveal;
  const isTheirs = and(eq(reveal.tenant, tenant), eq(reveal.actor, staffId), eq(reveal.object, object));
  const isTold = and(
    eq(auditEvent.tenant, tenant),
    eq(auditEvent.intentId, id),
    inArray(auditEvent.code, [...REASONED]),
    sql`${auditEvent.detail}->>'under' is null`,
  );
  const [row] = await store
    .select({ id, reason, noteSealed })
    .from(reveal)
    .innerJoin(auditEvent, isTold)
    .where(and(isTheirs, gt(createdAt, storeTimeBefore(OPEN_FOR_MS))))
    .orderBy(desc(createdAt))
    .limit(1);
  if (row === undefined) return null;
  const note = unsealedOrNull(() => unseal(row.noteSealed, { column: "reveal.note_sealed", row: [row.id] }));
  return note === null ? null : { reason: row.reason, note, under: { under: row.id } };
}

type FoundReason = Why & { under: { under?: string } };

async function reasonFor(actor: Actor, object: CustomerObject, { reason, note }: MaybeReasoned): Promise<FoundReason> {
  if (reason !== null && note !== null) return { reason, note, under: {} };
  const open = await openReason(await db(), actor, object);
  if (open === null) throw new AppError("forbidden", { code: "reveal-reason" });
  return open;
}

export async function revealOne(actor: Actor<"pii:reveal">, asked: Revealing, readField: ReadField): Promise<Revealed> {
  const store = await db();
  const { field, member, path } = asked;
  const object = revealedObject(asked);
  const { under, ...why } = await reasonFor(actor, object, asked);
  const text = await clearOf(store, actor, asked, readField);
  const session = await getSession();
  if (session === null) throw new AppError("unauthenticated");
  const detail = {
    field,
    ...(path !== null && { path }),
    ...(member !== null && { member }),
    ...under,
  };
  await admitReveal(actor, { ...why, code: "personal-data.reveal", object, detail });
  const link = isWebAddress(text) ? safeLink(text, env().isEmbedded) : null;
  return { text, link, shownTo: session.email, at: new Date().toISOString() };
}
