import { watchId } from "@/lib/permission/watches";
import { and, eq, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import { createTranslator } from "next-intl";
import { approval } from "@/lib/db/tables/approvals";
import { decidingPermission } from "@/lib/approvals/view";
import { recordAll } from "@/lib/audit/record";
import { can, type Role } from "@/lib/permission/permission";
import { staffMembership } from "@/lib/db/tables/auth";
import { needsPerson } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { sendMail } from "@/lib/mail/send";
import { queueMail } from "@/lib/mail/outbox";
import { choiceOf, MAIL_PERMISSIONS } from "@/lib/mail/view";
import type { MailEnd, MailSubject } from "@/lib/db/enums/mail";
import { writeSentBy } from "@/lib/sent-writes";
import { revealAlarm } from "@/lib/db/tables/privacy";
import { mailNotice, mailSettings } from "@/lib/db/tables/mail";
import type { Watch } from "@/lib/watch/watch";
import type { Locale } from "@/lib/text/format";
import { writeIncidentMail } from "@/lib/health/mail";
import { readLocale } from "@/lib/preferences/view";
import { env } from "@/lib/settings/env";
import { storeTimeBefore } from "@/lib/db/clock";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import en from "@/messages/en.json";
import ptBR from "@/messages/pt-BR.json";

type Notice = typeof mailNotice.$inferSelect;
type Group = Pick<Notice, "tenant" | "staffId" | "subject">;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETAINED_MS = 30 * DAY_MS;
/** Longer than the timeout of the mail server. */
const CLAIMED_MS = 5 * 60_000;
const FIRST_DELAY_MS = 60_000;
/** After this many in a row the server is down, and each try takes its whole timeout. */
const MAX_FAILURES = 3;

const PATHS: Readonly<Record<MailSubject, string>> = {
  waiting: "/approvals",
  authorised: "/approvals?view=mine",
  refused: "/approvals?view=mine",
  expired: "/approvals?view=mine",
  held: "/transfers",
  unanswered: "/outcomes",
  ready: "/movements",
  incident: "/health",
  recovered: "/health",
  alarm: "/alarms",
};

const ofGroup = ({ tenant, staffId, subject }: Group) =>
  and(eq(mailNotice.tenant, tenant), eq(mailNotice.staffId, staffId), eq(mailNotice.subject, subject));
const isOpen = isNull(mailNotice.endedAt);
const isUnclaimed = and(isOpen, isNull(mailNotice.claimedAt));
const isDue = lte(mailNotice.dueAt, sql`clock_timestamp()`);

async function queueEnding(store: Db, tenant: string): Promise<void> {
  const endsSoon = and(
    eq(providerIntent.tenant, tenant),
    eq(providerIntent.state, "HELD"),
    sql`${providerIntent.pendingExpiresAt} between clock_timestamp() and clock_timestamp() + interval '1 hour'`,
  );
  await store.transaction(async (tx) => {
    const ending = await tx
      .select({ id: providerIntent.id, actor: providerIntent.actor })
      .from(providerIntent)
      .where(endsSoon);
    for (const { id, actor } of ending) await queueMail(tx, { tenant, subject: "held", object: id, to: actor });
  });
}

/** After a day, or after a crash during sending: the mail may have left. */
async function giveUp(store: Db, tenant: string): Promise<void> {
  const isLost = sql`(${mailNotice.createdAt} < ${storeTimeBefore(DAY_MS)} or ${mailNotice.claimedAt} < ${storeTimeBefore(CLAIMED_MS)})`;
  await store.transaction(async (tx) => {
    const lost = await tx
      .update(mailNotice)
      .set({ endedAt: sql`clock_timestamp()`, end: "given-up" })
      .where(and(eq(mailNotice.tenant, tenant), isOpen, isLost))
      .returning({ staffId: mailNotice.staffId });
    await tx
      .delete(mailNotice)
      .where(and(eq(mailNotice.tenant, tenant), lt(mailNotice.endedAt, storeTimeBefore(RETAINED_MS))));
    const what = { tenant, actor: watchId("mails"), code: "mail.give-up", outcome: "REFUSED" } as const;
    const people = [...new Set(lost.map(({ staffId }) => staffId))];
    await recordAll(
      tx,
      people.map((person) => ({
        ...what,
        object: `staff:${person}`,
        detail: { rows: lost.filter(({ staffId }) => staffId === person).length },
      })),
    );
  });
}

type Person = { email: string; roles: Role[]; off: readonly string[]; locale: string | null };

async function personOf(store: Db, { tenant, staffId }: Group): Promise<Person | null> {
  const [found] = await store
    .select({
      email: staff.email,
      roles: staffMembership.roles,
      off: mailSettings.off,
      locale: mailSettings.locale,
      isGone: sql<boolean>`coalesce(${staff.disabledAt}, ${staffMembership.disabledAt}) is not null`,
    })
    .from(staff)
    .innerJoin(staffMembership, and(eq(staffMembership.staffId, staff.id), eq(staffMembership.tenant, tenant)))
    .leftJoin(mailSettings, eq(mailSettings.staffId, staff.id))
    .where(eq(staff.id, staffId));
  return found === undefined || found.isGone ? null : { ...found, off: found.off ?? [] };
}

/** Counts the records that are still open and that they may act on. */
async function countActionable(
  store: Db,
  { tenant, subject }: Group,
  objects: string[],
  roles: Role[],
): Promise<number> {
  if (subject === "waiting") {
    const isPending = and(eq(approval.tenant, tenant), inArray(approval.id, objects), eq(approval.state, "PENDING"));
    const rows = await store.select({ kind: approval.kind }).from(approval).where(isPending);
    return rows.filter(({ kind }) => can(roles, decidingPermission(kind))).length;
  }
  if (subject === "alarm") {
    const isIt = and(eq(revealAlarm.tenant, tenant), inArray(sql`${revealAlarm.id}::text`, objects));
    return store.$count(revealAlarm, and(isIt, isNull(revealAlarm.endedAt)));
  }
  const ofIntents = and(eq(providerIntent.tenant, tenant), inArray(providerIntent.id, objects));
  if (subject === "held") return store.$count(providerIntent, and(ofIntents, eq(providerIntent.state, "HELD")));
  if (subject !== "unanswered") return objects.length;
  const rows = await store
    .select({ operation: providerIntent.operation })
    .from(providerIntent)
    .where(and(ofIntents, needsPerson));
  return rows.filter(({ operation }) => {
    const permission = writeSentBy(operation)?.permission;
    return permission !== undefined && can(roles, permission);
  }).length;
}

type Told = { objects: string[]; roles: Role[]; locale: Locale; link: string };

/** Null when nothing of it is left to tell. */
async function wordsOf(store: Db, group: Group, { objects, roles, locale, link }: Told) {
  const { tenant, subject } = group;
  if (subject === "incident" || subject === "recovered")
    return writeIncidentMail(store, { tenant, subject, ids: objects, locale, link });
  const count = await countActionable(store, group, objects, roles);
  if (count === 0) return null;
  const say = createTranslator({ locale, messages: locale === "en" ? en : ptBR, namespace: "noticeMail" });
  const line = say(`subjects.${subject}`, { count });
  return { subject: line, text: say("text", { line, link }) };
}

async function mailOf(store: Db, group: Group, claimed: readonly Notice[]) {
  const person = await personOf(store, group);
  const choice = choiceOf(group.subject);
  const mayAct = person !== null && MAIL_PERMISSIONS[choice].some((permission) => can(person.roles, permission));
  if (!mayAct) return { end: "moot" } as const;
  if (person.off.includes(choice)) return { end: "off" } as const;
  const objects = claimed.map(({ object }) => object);
  const locale = readLocale(person.locale ?? undefined);
  const link = new URL(PATHS[group.subject], env().publicUrl).href;
  const words = await wordsOf(store, group, { objects, roles: person.roles, locale, link });
  if (words === null) return { end: "moot" } as const;
  return { end: null, mail: { to: { name: "", address: person.email }, ...words, link } };
}

/** Claimed before sending, and never resent once the mail server accepted it. Null when another process was first. */
async function deliver(store: Db, group: Group): Promise<"sent" | "failed" | "none"> {
  const claimed = await store
    .update(mailNotice)
    .set({ claimedAt: sql`clock_timestamp()`, attempts: sql`${mailNotice.attempts} + 1` })
    .where(and(ofGroup(group), isUnclaimed, isDue))
    .returning();
  if (claimed.length === 0) return "none";
  const objects = claimed.map(({ object }) => object);
  const ofClaimed = and(ofGroup(group), inArray(mailNotice.object, objects));
  const finish = (end: MailEnd) =>
    store
      .update(mailNotice)
      .set({ endedAt: sql`clock_timestamp()`, end })
      .where(ofClaimed);
  const made = await mailOf(store, group, claimed);
  if (made.end !== null) {
    await finish(made.end);
    return "none";
  }
  if ((await sendMail(made.mail)) === "sent") {
    await finish("sent");
    return "sent";
  }
  const tried = Math.max(...claimed.map(({ attempts }) => attempts));
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (tried - 1), HOUR_MS);
  const dueAt = sql`clock_timestamp() + ${delayMs} * interval '1 millisecond'`;
  await store.update(mailNotice).set({ claimedAt: null, dueAt }).where(ofClaimed);
  return "failed";
}

/** One mail per person, subject and hour; later events are collected. Incidents do not wait, and begin before they end. */
async function dueGroups(store: Db, tenant: string): Promise<Group[]> {
  const group = { tenant: mailNotice.tenant, staffId: mailNotice.staffId, subject: mailNotice.subject };
  const due = await store
    .selectDistinct(group)
    .from(mailNotice)
    .where(and(eq(mailNotice.tenant, tenant), isUnclaimed, isDue))
    .orderBy(mailNotice.subject);
  const isRecent = and(
    eq(mailNotice.tenant, tenant),
    eq(mailNotice.end, "sent"),
    sql`${mailNotice.endedAt} > ${storeTimeBefore(HOUR_MS)}`,
  );
  const recent = await store.selectDistinct(group).from(mailNotice).where(isRecent);
  return due.filter(
    ({ staffId, subject }) =>
      choiceOf(subject) === "incidents" || !recent.some((one) => one.staffId === staffId && one.subject === subject),
  );
}

export const mailsWatch: Watch = {
  name: "mails",
  async sweep(tenant) {
    if (env().mail === null) return;
    const store = await db();
    await queueEnding(store, tenant);
    await giveUp(store, tenant);
    let failures = 0;
    for (const group of await dueGroups(store, tenant)) {
      const outcome = await deliver(store, group);
      failures = outcome === "failed" ? failures + 1 : 0;
      if (failures === MAX_FAILURES) return;
    }
  },
};
