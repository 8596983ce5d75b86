import { APPROVABLE_WRITES } from "@/lib/writes/approvable";
import type { Policy } from "@/lib/permission/writes";
import { randomUUID } from "node:crypto";
import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import type { Role } from "@/lib/permission/permission";
import { staffMembership } from "@/lib/db/tables/auth";
import { auditEvent } from "@/lib/db/tables/audit";
import { type Db, db as openDb } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "./console";
import { givenIntents, internalOrder, openAccount, orderInternalTransfer } from "./transfers";
import { type Account, statementOf } from "@/test/support/service/transfers";
import { sealSnapshot, shownText } from "@/lib/approvals/snapshot";
import { changePolicy } from "@/lib/approvals/policy";
import { approval } from "@/lib/db/tables/approvals";
import { authorise } from "@/lib/approvals/decide";
import { givenClaim } from "./claims";

/** The audit of proposals in order: `approval.propose DONE`. */
export async function approvalTrail(db: Db): Promise<string[]> {
  const rows = await db.select().from(auditEvent).orderBy(asc(auditEvent.seq));
  return rows.filter(({ code }) => code.startsWith("approval.")).map(({ code, outcome }) => `${code} ${outcome}`);
}

export async function giveRoles(db: Db, staffId: string, ...roles: Role[]): Promise<void> {
  await db.update(staffMembership).set({ roles }).where(eq(staffMembership.staffId, staffId));
}

export type SessionScope = Awaited<ReturnType<typeof givenFixture>>;

/** A person who orders transfers, one who authorises, and two accounts, the first with money. */
export async function givenFixture() {
  givenEnv();
  const db = await givenStore();
  const service = await givenService();
  const sent = givenIntents();
  const makerId = await givenStaff(db, "finance");
  const approverId = await givenStaff(db, "approver");
  const maker = actorOf("finance", makerId, "transfers:create");
  const approver = actorOf("approver", approverId, "approvals:authorize");
  const parties: [Account, Account] = [await openAccount(service, 100_000), await openAccount(service)];

  const big = () => internalOrder(parties, { amount: "5000.00" });
  /** Like an attacker who can write to the database directly. */
  const tamper = (change: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(change);
    });
  return {
    db,
    service,
    sent,
    makerId,
    maker,
    approverId,
    approver,
    parties,
    big,
    tamper,
    /** How many payments left the first account. */
    paid: async () => (await statementOf(service, parties[0])).filter(({ direction }) => direction === "DEBIT").length,
    propose: async (order = big()): Promise<string> => {
      const proposed = await orderInternalTransfer(maker, order);
      if (proposed.state !== "PROPOSED") throw new Error(`it was ${proposed.state}`);
      return proposed.approvalId;
    },
    authorising: (approvalId: string, by = approver) => authorise(APPROVABLE_WRITES, by, { approvalId }),
    stateOf: async (id: string) => {
      const [row] = await db.select().from(approval).where(eq(approval.id, id));
      return [row?.state, row?.code];
    },
    /** Makes its executor look dead. */
    died: () =>
      tamper(
        sql`update approval set owner = gen_random_uuid(), executing_until = clock_timestamp() - interval '1 second'`,
      ),
  };
}

/** Applies another policy without any approval. */
export const givenPolicy = async (
  actor: Actor<"settings:manage">,
  change: Parameters<typeof changePolicy>[2],
): Promise<Policy> => (await openDb()).transaction((tx) => changePolicy(tx, actor, change));

type GivenApproval = { tenant: string; id: string; makerId: string; headline: string; object?: string };

/** A waiting proposal about a record that does not exist. */
export async function givenApproval(
  db: Db,
  { tenant, id, makerId, headline, object = `kyc:${id}` }: GivenApproval,
): Promise<void> {
  const columns = {
    tenant,
    id,
    kind: "kyc.decision",
    permission: "kyc:decide",
    intentId: randomUUID(),
    object,
    isExclusive: true,
    bodyHash: "x",
    policyVersion: 0,
    makerId,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60 * 60_000),
  } as const;
  const shown = { headline: shownText(headline), href: null, facts: [] };
  const frozenSealed = sealSnapshot(columns, { order: "{}", bytes: "{}", shown });
  await givenClaim(db, [{ tenant, id: columns.intentId }]);
  await db.insert(approval).values({ ...columns, frozenSealed, state: "PENDING" });
}
