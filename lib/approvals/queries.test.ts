import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { account } from "@/lib/db/tables/customers";
import type { Role } from "@/lib/permission/permission";
import { getProposedTransfer } from "@/lib/transfers/queries";
import { actorOf, givenStaff } from "@/test/support/console";
import { externalOrder, internalOrder, orderExternalTransfer, orderInternalTransfer } from "@/test/support/transfers";
import { auditEvent } from "@/lib/db/tables/audit";
import { providerIntent } from "@/lib/db/tables/provider";
import { refuseRequest } from "./decide";
import { followIntents } from "./execute";
import { exportApprovals, getApproval, listApprovals } from "./queries";
import { givenApproval, givenFixture } from "@/test/support/approvals";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.approverId, roles: ["approver"] }));
});

type Filter = Parameters<typeof listApprovals>[0];
const listed = async (filter: Filter) => (await listApprovals({ view: "waiting", ...filter })).rows;
const ids = async (filter: Filter) => (await listed(filter)).map(({ id }) => id);

const lookedUp = async (place: 0 | 1): Promise<string> => {
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  const found = await lookUp(reader, { query: fixture.parties[place].onBoardingId });
  return "accountRef" in found ? found.accountRef : "";
};

describe("who decides a transfer", () => {
  it("shows the decider the holders of both accounts when known", async () => {
    const [, to] = [await lookedUp(0), await lookedUp(1)];
    await fixture.db.update(account).set({ holder: null });
    await fixture.db.update(account).set({ holder: "J••• L•••" }).where(eq(account.ref, to));
    const facts = (await getApproval(await fixture.propose()))?.shown?.facts ?? [];
    expect(facts.map(({ name }) => name)).toEqual(expect.arrayContaining(["from", "to", "toHolder"]));
    expect(facts.find(({ name }) => name === "toHolder")?.after).toEqual({ as: "text", text: "J••• L•••" });
    expect(facts.map(({ name }) => name)).not.toContain("fromHolder");
  });
});

async function exportedLines(view: "waiting" | "decided" = "waiting"): Promise<string[]> {
  const { parts } = await exportApprovals({ view });
  const written: string[] = [];
  for await (const part of parts) written.push(part);
  return written.join("").trim().split("\r\n");
}

describe("the list of approvals", () => {
  it("shows a transfer's amount, payer and payee, and that the payee is new", async () => {
    await lookedUp(0);
    await fixture.db.update(account).set({ holder: "C••• V•••" });
    const ref = await lookedUp(1);
    await fixture.db.update(account).set({ holder: "A••• C•••" }).where(eq(account.ref, ref));
    await fixture.propose();
    const { rows } = await listApprovals({ view: "waiting" });
    expect(rows).toMatchObject([
      {
        headline: { as: "brl", decimal: "5000.00" },
        parties: { from: "C••• V•••", to: "A••• C•••", isFirstUse: true },
        decision: "may",
      },
    ]);
  });

  it("sorts by age or expiry and groups by account, with how many each has", async () => {
    const { db, makerId } = fixture;
    const given = async (object: string, minutes: number) => {
      const id = randomUUID();
      await givenApproval(db, { tenant: "aurora", id, makerId, headline: "um caso" });
      const at = (more: number) => new Date(Date.now() + (minutes + more) * 60_000);
      await fixture.tamper(
        sql`update approval set object = ${object}, is_exclusive = false, created_at = ${at(-600).toISOString()},
          expires_at = ${at(600).toISOString()} where id = ${id}`,
      );
      return id;
    };
    const [a, b, c, d] = [
      await given("account:b", 3),
      await given("kyc:1", 1),
      await given("account:a", 4),
      await given("account:b", 2),
    ];
    expect(await ids({})).toEqual([b, d, a, c]);
    expect(await ids({ sort: "created", order: "desc" })).toEqual([c, a, d, b]);
    expect(await ids({ sort: "account" })).toEqual([c, d, a, b]);
    const others = (await listed({ sort: "account" })).map(({ account: of }) => of?.others ?? null);
    expect(others).toEqual([0, 1, 1, null]);
  });

  it("masks a TED's recipient and names accounts without a known holder", async () => {
    await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value: "6200.00" }));
    const { rows } = await listApprovals({ view: "waiting" });
    expect(rows).toMatchObject([{ parties: { from: fixture.parties[0].accountId, to: "J••• L•••" } }]);
  });

  it("lists and counts the approvals of one kind and period", async () => {
    const internal = await fixture.propose();
    await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value: "6200.00" }));
    const found = await listApprovals({ view: "waiting", kind: "transfer.internal", period: "1" });
    expect(found.rows.map(({ id }) => id)).toEqual([internal]);
    expect(found).toMatchObject({ total: 1, counts: { waiting: 1, mine: 0, decided: 0 } });
    expect(await listApprovals({ view: "waiting", period: "yesterday" })).toMatchObject({ rows: [], total: 0 });
  });

  it("exports what the reader may see, masked as in the list, and puts it on record", async () => {
    await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value: "6200.00" }));
    const [, line, ...rest] = await exportedLines();
    expect(rest).toEqual([]);
    expect(line).toMatch(/[;,]6200[.,]00[;,]/);
    expect(line).toContain("J••• L•••");
    const exported = await fixture.db.select().from(auditEvent).where(eq(auditEvent.code, "approvals.export"));
    expect(exported).toHaveLength(1);
    const support = await givenStaff(fixture.db, "support");
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: support, roles: ["support"] }));
    expect(await exportedLines()).toHaveLength(1);
  });

  it("exports why somebody rejected a request, masked", async () => {
    const approvalId = await fixture.propose();
    await refuseRequest(fixture.approver, { approvalId, reason: "Falta o contrato de 390.533.447-05" });
    const [head, line] = await exportedLines("decided");
    expect(head).toMatch(/"Reason to reject"$/);
    expect(line).toMatch(/"Falta o contrato de \*{3}\.533\.447-\*{2}"$/);
  });

  it("marks the approvals that the reader may decide", async () => {
    const id = await fixture.propose();
    const decisionFor = async (staffId: string, role: Role) => {
      vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: [role] }));
      return (await listApprovals({ view: "waiting" })).rows.find((row) => row.id === id)?.decision;
    };
    expect(await decisionFor(fixture.approverId, "approver")).toBe("may");
    expect(await decisionFor(fixture.makerId, "finance")).toBe("own");
    expect(await decisionFor(await givenStaff(fixture.db, "auditor"), "auditor")).toBe("approvers");
    await fixture.authorising(id);
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.approverId, roles: ["approver"] }));
    expect((await listApprovals({ view: "decided" })).rows).toMatchObject([{ decision: null }]);
  });
});

describe("a proposal", () => {
  it("links to the next proposal that its reader may decide", async () => {
    const first = await fixture.propose();
    const second = await fixture.propose(internalOrder(fixture.parties, { amount: "6000.00" }));
    expect(await getApproval(first)).toMatchObject({ nextToDecide: second });
    await fixture.authorising(first);
    expect(await getApproval(first)).toMatchObject({ nextToDecide: second });
    await fixture.authorising(second);
    expect(await getApproval(second)).toMatchObject({ nextToDecide: null });
  });

  it("tells an end that was seen later from one that was the answer", async () => {
    const answered = await fixture.propose();
    await fixture.authorising(answered);
    expect(await getApproval(answered)).toMatchObject({ row: { state: "EXECUTED" }, endKnown: "answered" });
    await lookedUp(0);
    const order = internalOrder(fixture.parties, { amount: "10000.00" });
    const held = await fixture.propose(order);
    await fixture.authorising(held);
    await fixture.db
      .update(providerIntent)
      .set({ state: "DONE", finishedAt: new Date() })
      .where(eq(providerIntent.id, order.intentId));
    await followIntents("aurora");
    expect(await getApproval(held)).toMatchObject({ row: { state: "EXECUTED" }, endKnown: "seen" });
  });

  it("shows a transfer's two accounts and other payments to its payee", async () => {
    const from = await lookedUp(0);
    const to = await lookedUp(1);
    const earlier = internalOrder(fixture.parties, { amount: "10.00" });
    await orderInternalTransfer(fixture.maker, earlier);
    await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0]));
    const transferId = (await getApproval(await fixture.propose()))?.transferId ?? "";
    expect(await getProposedTransfer(transferId)).toMatchObject({
      from: { ref: from },
      to: { ref: to },
      others: [{ id: earlier.intentId, amount: "10.00", state: "CONFIRMED" }],
    });
    expect(await getProposedTransfer(earlier.intentId)).toMatchObject({ others: [{ id: transferId }] });
  });

  it("shows what was sent to its payee after it was requested, with its state", async () => {
    await lookedUp(0);
    const approvalId = await fixture.propose();
    const transferId = (await getApproval(approvalId))?.transferId ?? "";
    const held = internalOrder(fixture.parties, { amount: "10500.00" });
    await fixture.authorising(await fixture.propose(held));
    expect(await getProposedTransfer(transferId)).toMatchObject({
      others: [{ id: held.intentId, amount: "10500.00", state: "HELD" }],
    });
    await fixture.authorising(approvalId);
    const later = internalOrder(fixture.parties, { amount: "10.00" });
    await orderInternalTransfer(fixture.maker, later);
    expect(await getProposedTransfer(transferId)).toMatchObject({
      others: [{ id: later.intentId }, { id: held.intentId }],
    });
  });
});
