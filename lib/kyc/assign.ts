import { sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditCode } from "@/lib/audit/codes";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { Required } from "@/lib/contract/shared";
import { publish } from "@/lib/live/publish";
import type { Holder } from "@/lib/result";
import { kycCase } from "@/lib/store/schema";
import { db, type Tx } from "@/lib/store/store";
import { requireAssignable } from "./assignees";
import { type CaseEventKind, noteEvents } from "./events";
import { caseAt, holdCase } from "./held";

/** `takeFrom`: the colleague whom the person saw to have it, and agreed to take it from. */
export const Claiming = z.object({ kycUUID: Required, takeFrom: z.uuid().nullable() });
export type Claiming = z.output<typeof Claiming>;

export const Releasing = z.object({ kycUUID: Required });
export type Releasing = z.output<typeof Releasing>;

/** `to` null: back to the queue. `from`: who had it on the screen where this was chosen. */
export const Assigning = z.object({ kycUUID: Required, to: z.uuid().nullable(), from: z.uuid().nullable() });
export type Assigning = z.output<typeof Assigning>;

/** `assignedAt` is ISO. */
export type Claimed = { assignedAt: string };

type Assigner = Actor<"kyc:assign">;
type Detail = Record<string, string | boolean | null>;

export type Handover = {
  tenant: string;
  /** Staff id, or `watch:<name>`. */
  by: string;
  kycUUID: string;
  to: string | null;
  event: CaseEventKind;
  code: AuditCode;
  /** Of the event. */
  detail?: Detail;
  /** On record, beside whom it is given to. */
  facts?: Detail;
};

const isPerson = (by: string) => !by.startsWith("watch:");

/** Makes the case `to`'s, whom its timeline, the open screens and the record then name. */
export async function handOver(tx: Tx, handover: Handover): Promise<Date> {
  const { tenant, by, kycUUID, to, event, code, detail = {}, facts = {} } = handover;
  const assignedAt = to === null ? null : sql`clock_timestamp()`;
  const [row] = await tx
    .update(kycCase)
    .set({ assigneeId: to, assignedAt })
    .where(caseAt({ tenant, kycUUID }))
    .returning({ assignedAt: kycCase.assignedAt });
  await noteEvents(tx, [{ tenant, kycUUID, kind: event, actor: isPerson(by) ? by : null, detail }]);
  await publish(tx, { tenant, topic: "kyc", object: kycUUID });
  const onRecord = { ...(to !== null && to !== by && { to }), ...facts };
  await record(tx, { tenant, actor: by, code, outcome: "DONE", object: `kyc:${kycUUID}`, detail: onRecord });
  return row?.assignedAt ?? new Date(0);
}

const held = (holder: Holder | null) => new BankError("conflict", { code: "case-held", holder });

/**
 * Makes the case the person's own: nobody's, or that of the colleague they agreed to take it from; theirs already stays so.
 * Throws conflict `case-held`, which tells whose it is by now and since when.
 */
export async function claim(actor: Assigner, { kycUUID, takeFrom }: Claiming): Promise<Claimed> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder?.id === by) return { assignedAt: holder.since };
    if (holder !== null && holder.id !== takeFrom) throw held(holder);
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

/** Gives one's own case back to the queue; nobody's stays nobody's. Throws conflict `case-held` for a colleague's. */
export async function release(actor: Assigner, { kycUUID }: Releasing): Promise<null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder === null) return null;
    if (holder.id !== by) throw held(holder);
    await handOver(tx, { tenant, by, kycUUID, to: null, event: "released", code: "kyc.release" });
    return null;
  });
}

/**
 * Makes the case a colleague's, or nobody's. Throws conflict `case-held` when somebody else has it than the person saw, and
 * as `requireAssignable`.
 */
export async function assign(actor: Assigner, { kycUUID, to, from }: Assigning): Promise<Claimed | null> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const holder = await holdCase(tx, { tenant, kycUUID });
    if (holder !== null && holder.id === to) return { assignedAt: holder.since };
    if (holder === null && to === null) return null;
    if (holder !== null && holder.id !== from) throw held(holder);
    const [former, facts] = [holder?.id ?? null, { formerHolder: holder?.id ?? null }];
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
