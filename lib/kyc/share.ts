import { and, asc, desc, eq, exists, inArray, isNull, not, sql } from "drizzle-orm";
import { recordAll } from "@/lib/audit/record";
import { isLiving } from "@/lib/auth/sessions";
import type { Db, Tx } from "@/lib/db/connection";
import { lockByHashes } from "@/lib/db/lease";
import { publishAll } from "@/lib/db/publish";
import { staffSession } from "@/lib/db/tables/auth";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { readAssignees } from "./assignees";
import { caseRulesOf } from "./case-rules";
import { approvalOf, nextCaseLock, waitsForSomebody } from "./claim-next";
import { noteCaseEvents } from "./events";
import { OPEN } from "./queue-filter";

/** Since somebody's last request. */
const PRESENT_MS = 15 * 60_000;
const MAX_AT_ONCE = 100;

type Sharing = { tenant: string; id: string };
type Person = { id: string; open: number };

/** Deciders who are here and not away, in a fixed order, with their open cases. */
async function readPresent(tx: Tx, tenant: string): Promise<Person[]> {
  const here = (await readAssignees(tx, tenant)).filter(({ awayUntil }) => awayUntil === null).map(({ id }) => id);
  if (here.length === 0) return [];
  const present = await tx
    .selectDistinct({ id: staffSession.staffId })
    .from(staffSession)
    .where(and(eq(staffSession.tenant, tenant), inArray(staffSession.staffId, here), isLiving(PRESENT_MS)))
    .orderBy(staffSession.staffId);
  const ids = present.map(({ id }) => id);
  if (ids.length === 0) return [];
  const cases = sql<number>`count(*)`.mapWith(Number);
  const rows = await tx
    .select({ id: kycCase.assigneeId, cases })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.assigneeId, ids), OPEN))
    .groupBy(kycCase.assigneeId);
  const openOf = new Map(rows.map((row) => [row.id, row.cases]));
  return ids.map((id) => ({ id, open: openOf.get(id) ?? 0 }));
}

async function lastServed(tx: Tx, tenant: string): Promise<string | null> {
  const [last] = await tx
    .select({ to: sql<string>`${kycEvent.detail} ->> 'to'` })
    .from(kycEvent)
    .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kind, "shared")))
    .orderBy(desc(kycEvent.at), desc(kycEvent.id))
    .limit(1);
  return last?.to ?? null;
}

/** In turn after whoever was served last, passing over those with as many open cases as they may have. */
export function dealOut<Case>(
  cases: readonly Case[],
  people: readonly Person[],
  { after, max }: { after: string | null; max: number },
): { to: string; dealt: Case }[] {
  const next = people.findIndex(({ id }) => after !== null && id > after);
  const turns = next === -1 ? [...people] : [...people.slice(next), ...people.slice(0, next)];
  const ring = turns.map((person) => ({ ...person })).filter(({ open }) => open < max);
  return cases.flatMap((dealt) => {
    const person = ring.shift();
    if (person === undefined) return [];
    person.open += 1;
    if (person.open < max) ring.push(person);
    return [{ to: person.id, dealt }];
  });
}

/** Most urgent first. What somebody else is just writing is left to the next round. */
const takeWaiting = (tx: Tx, tenant: string, limit: number) =>
  tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(waitsForSomebody(tenant), not(exists(approvalOf(tx)))))
    .orderBy(asc(kycCase.dueAt), asc(kycCase.seq))
    .limit(limit)
    .for("update", { of: kycCase, skipLocked: true });

async function shareSome(tx: Tx, { tenant, id: by }: Sharing): Promise<number> {
  const { openCasesMax: max } = (await caseRulesOf(tx, tenant)).rules;
  if (max === null) return 0;
  await lockByHashes(tx, nextCaseLock(tenant));
  const people = await readPresent(tx, tenant);
  const room = people.reduce((sum, { open }) => sum + Math.max(0, max - open), 0);
  if (room === 0) return 0;
  const cases = await takeWaiting(tx, tenant, Math.min(room, MAX_AT_ONCE));
  const dealt = dealOut(cases, people, { after: await lastServed(tx, tenant), max });
  for (const { id } of people) {
    const own = dealt.filter(({ to }) => to === id).map(({ dealt: { kycUUID } }) => kycUUID);
    if (own.length === 0) continue;
    await tx
      .update(kycCase)
      .set({ assigneeId: id, assignedAt: sql`clock_timestamp()` })
      .where(and(eq(kycCase.tenant, tenant), inArray(kycCase.kycUUID, own), isNull(kycCase.assigneeId)));
  }
  const shared = dealt.map(({ to, dealt: { kycUUID } }) => ({ kycUUID, detail: { to } }));
  await noteCaseEvents(
    tx,
    shared.map((one) => ({ ...one, tenant, kind: "shared", actor: null })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects: shared.map(({ kycUUID }) => kycUUID) });
  const what = { tenant, actor: by, code: "kyc.share", outcome: "DONE" } as const;
  await recordAll(
    tx,
    shared.map(({ kycUUID, detail }) => ({ ...what, object: `kyc:${kycUUID}`, detail })),
  );
  return shared.length;
}

/** Assigns what waits for nobody, where the rules in force say so, a hundred cases a transaction. Returns how many. */
export async function shareCases(store: Db, sharing: Sharing): Promise<number> {
  let all = 0;
  for (;;) {
    const shared = await store.transaction((tx) => shareSome(tx, sharing));
    all += shared;
    if (shared < MAX_AT_ONCE) return all;
  }
}
