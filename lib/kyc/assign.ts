import { and, asc, eq, isNull, notInArray, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { Required } from "@/lib/contract/shared";
import type { Holder } from "@/lib/errors/result";
import { publish, publishAll } from "@/lib/db/publish";
import { kycCase } from "@/lib/db/tables/kyc";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdCase, whereCase } from "./holder";
import { noteCaseEvents } from "./events";
import type { CaseEventKind } from "@/lib/db/enums/kyc";
import { requireAssignable } from "./assignees";

/** `takeFrom`: the colleague whom the person agreed to take it from. */
export const Claiming = z.object({ kycUUID: Required, takeFrom: z.uuid().nullable() });
export type Claiming = z.output<typeof Claiming>;

export const Releasing = z.object({ kycUUID: Required });
export type Releasing = z.output<typeof Releasing>;

/** `to` null: back to the queue. `from`: the assignee on the screen where this was chosen. */
export const Assigning = z.object({ kycUUID: Required, to: z.uuid().nullable(), from: z.uuid().nullable() });
export type Assigning = z.output<typeof Assigning>;

type Claimed = { assignedAt: string };

type Assigner = Actor<"kyc:assign">;
type Detail = Record<string, string | boolean | null>;

type Handover = {
  tenant: string;
  by: string;
  kycUUID: string;
  to: string | null;
  event: CaseEventKind;
  code: AuditCode;
  detail?: Detail;
  facts?: Detail;
};

const isPerson = (by: string) => !by.startsWith("watch:");

export async function handOver(tx: Tx, handover: Handover): Promise<Date> {
  const { tenant, by, kycUUID, to, event, code, detail = {}, facts = {} } = handover;
  const assignedAt = to === null ? null : sql`clock_timestamp()`;
  const [row] = await tx
    .update(kycCase)
    .set({ assigneeId: to, assignedAt })
    .where(whereCase({ tenant, kycUUID }))
    .returning({ assignedAt: kycCase.assignedAt });
  await noteCaseEvents(tx, [{ tenant, kycUUID, kind: event, actor: isPerson(by) ? by : null, detail }]);
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  const onRecord = { ...(to !== null && to !== by && { to }), ...facts };
  await record(tx, { tenant, actor: by, code, outcome: "DONE", object: `kyc:${kycUUID}`, detail: onRecord });
  return row?.assignedAt ?? new Date(0);
}

export const caseHeld = (holder: Holder | null) => new AppError("conflict", { code: "case-held", holder });
type Leaving = { tenant: string; by: string; from: string; to: string };

/** All open cases of somebody who leaves, in one transaction; its caller puts it on record. Throws as `requireAssignable`. */
export async function handOverCases(tx: Tx, { tenant, by, from, to }: Leaving): Promise<number> {
  await requireAssignable(tx, { tenant, by }, to);
  // In the watch's order, to avoid deadlocks.
  const open = tx
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(isOpenOf(tenant, from))
    .orderBy(asc(kycCase.seq))
    .for("update");
  const handed = await tx
    .update(kycCase)
    .set({ assigneeId: to, assignedAt: sql`clock_timestamp()` })
    .where(and(eq(kycCase.tenant, tenant), sql`${kycCase.kycUUID} = any(array(${open}))`))
    .returning({ kycUUID: kycCase.kycUUID });
  const objects = handed.map(({ kycUUID }) => kycUUID);
  const event = { tenant, kind: "assigned", actor: by, detail: { to, from } } as const;
  await noteCaseEvents(
    tx,
    objects.map((kycUUID) => ({ ...event, kycUUID })),
  );
  await publishAll(tx, { tenant, topic: "kyc", objects });
  return objects.length;
}

const isOpenOf = (tenant: string, holder: string) =>
  and(
    eq(kycCase.tenant, tenant),
    eq(kycCase.assigneeId, holder),
    notInArray(kycCase.status, ["APPROVED", "REPROVED"]),
    isNull(kycCase.decidedAt),
  );

export const countOpenCasesOf = (store: Db | Tx, tenant: string, holder: string): Promise<number> =>
  store.$count(kycCase, isOpenOf(tenant, holder));

/** Throws conflict `case-held`, with the assignee and since when, unless unassigned or assigned to `takeFrom`. */
export async function claim(actor: Assigner, { kycUUID, takeFrom }: Claiming): Promise<Claimed> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder?.id === by) return { assignedAt: holder.since };
    if (holder !== null && holder.id !== takeFrom) throw caseHeld(holder);
    const how =
      holder === null
        ? ({ event: "claimed", code: "kyc.claim" } as const)
        : ({
            event: "taken-over",
            code: "kyc.take-over",
            detail: { from: holder.id },
            facts: { formerHolder: holder.id },
          } as const);
    const assignedAt = await handOver(tx, { tenant, by, kycUUID, to: by, ...how });
    return { assignedAt: assignedAt.toISOString() };
  });
}

/** Throws conflict `case-held` for a colleague's case. */
export async function release(actor: Assigner, { kycUUID }: Releasing): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder === null) return null;
    if (holder.id !== by) throw caseHeld(holder);
    await handOver(tx, { tenant, by, kycUUID, to: null, event: "released", code: "kyc.release" });
    return null;
  });
}

/** `to` null: back to the queue. Throws conflict `case-held` when the assignee is not `from`, and as `requireAssignable`. */
export async function assign(actor: Assigner, { kycUUID, to, from }: Assigning): Promise<Claimed | null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder !== null && holder.id === to) return { assignedAt: holder.since };
    if (holder === null && to === null) return null;
    if (holder !== null && holder.id !== from) throw caseHeld(holder);
    const former = holder?.id ?? null;
    const facts = { formerHolder: holder?.id ?? null };
    const handed = { tenant, by, kycUUID, to, facts } as const;
    if (to === null) {
      await handOver(tx, { ...handed, event: "released", code: "kyc.release", detail: { from: former } });
      return null;
    }
    await requireAssignable(tx, { tenant, by }, to);
    const detail = { to, from: former };
    const assignedAt = await handOver(tx, { ...handed, event: "assigned", code: "kyc.assign", detail });
    return { assignedAt: assignedAt.toISOString() };
  });
}
