import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { givenDesk } from "@/lib/approvals/testing";
import { refuse } from "@/lib/approvals/verdict";
import { grant } from "@/lib/auth/grant";
import { bankIntent } from "@/lib/bank/schema";
import { actorOf } from "@/lib/testing";
import { orderExternalTransfer, orderInternalTransfer } from "./approvals";
import { findTransfer, readTransfers } from "./records";
import { externalOrder, internalOrder } from "./testing";

let desk: Awaited<ReturnType<typeof givenDesk>>;
beforeEach(async () => {
  desk = await givenDesk();
});

const reader = () => actorOf("finance", desk.makerId, "transfers:read");
const list = (filter: Parameters<typeof readTransfers>[1] = {}) => readTransfers(reader(), filter);
const internal = (amount: string) => orderInternalTransfer(desk.maker, internalOrder(desk.parties, { amount }));
const external = (value: string) => orderExternalTransfer(desk.maker, externalOrder(desk.parties[0], { value }));

const refOf = async (place: 0 | 1) => {
  const found = await lookUp(actorOf("finance", desk.makerId, "accounts:read"), {
    query: desk.parties[place].onBoardingId,
  });
  return "accountRef" in found ? found.accountRef : "";
};

async function held(): Promise<void> {
  await desk.db.update(bankIntent).set({ state: "HELD", antifraudId: "af-1", pendingExpiresAt: new Date() });
}

describe("the list of transfers", () => {
  it("shows what was sent and what waits for a second person, newest first, each as what it is", async () => {
    await internal("10.00");
    await external("20.00");
    const id = await desk.propose();
    expect((await list()).rows.map(({ kind, state, amount }) => [kind, state, amount])).toEqual([
      ["INTERNAL", "WAITING", "5000.00"],
      ["EXTERNAL", "CONFIRMED", "20.00"],
      ["INTERNAL", "CONFIRMED", "10.00"],
    ]);
    await refuse(desk.approver, { approvalId: id, reason: "Falta o contrato" });
    expect((await list({ view: "unpaid" })).rows).toMatchObject([{ state: "DECLINED", approvalId: id }]);
  });

  it("shows a proposal that was carried out once, with both", async () => {
    const id = await desk.propose();
    await desk.authorising(id);
    expect((await list()).rows).toMatchObject([{ state: "CONFIRMED", approvalId: id, amount: "5000.00" }]);
  });

  it("shows what the provider holds with its case and until when, and what it blocks apart from what it refuses", async () => {
    await internal("10.00");
    await held();
    expect((await list({ view: "held" })).rows).toMatchObject([{ antifraudId: "af-1", until: expect.any(String) }]);
    await desk.db.update(bankIntent).set({ state: "REFUSED", code: "TRANSACTION_BLOCKED" });
    expect((await list()).rows).toMatchObject([{ state: "BLOCKED" }]);
    await desk.db.update(bankIntent).set({ state: "REFUSED", code: null });
    expect((await list()).rows).toMatchObject([{ state: "REFUSED" }]);
  });

  it("names accounts by branch and number once they are known, and a TED's recipient masked", async () => {
    await external("20.00");
    await internal("10.00");
    await Promise.all([refOf(0), refOf(1)]);
    const [between, ted] = (await list()).rows;
    expect(between?.to).toMatchObject({ as: "account", name: expect.stringContaining(" / ") });
    expect(between?.from.document).toMatch(/^\*\*\*/);
    expect(ted?.to).toMatchObject({ as: "recipient", name: "J••• L•••", document: "***.533.447-**" });
    expect(JSON.stringify((await list()).rows)).not.toMatch(/39053344705|João/);
  });

  it("is narrowed by account, type, period and who ordered, and counts what it is narrowed to", async () => {
    const ref = await refOf(0);
    await internal("10.00");
    await external("20.00");
    expect((await list({ account: ref })).counts).toMatchObject({ all: 2, confirmed: 2 });
    expect((await list({ account: randomUUID() })).rows).toEqual([]);
    expect((await list({ kind: "EXTERNAL" })).rows).toHaveLength(1);
    expect((await list({ period: "1", who: "me" })).rows).toHaveLength(2);
    const other = actorOf("approver", desk.approverId, "transfers:read");
    expect((await readTransfers(other, { who: "me" })).rows).toEqual([]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 48 * 3_600_000 });
    expect((await list({ period: "1" })).rows).toEqual([]);
    vi.useRealTimers();
  });

  it("says that what does not open is unreadable, and shows the rest", async () => {
    await internal("10.00");
    await desk.db.update(bankIntent).set({ bodySealed: "garbage" });
    expect((await list()).rows).toMatchObject([{ to: null, amount: "10.00", state: "CONFIRMED" }]);
  });

  it("is of one tenant", async () => {
    await internal("10.00");
    const [{ id } = { id: "" }] = (await list()).rows;
    const person = { staffId: desk.makerId, tenant: "boreal", roles: ["finance"] } as const;
    const elsewhere = grant(person, "transfers:read");
    if (elsewhere === null) throw new Error("finance reads transfers");
    expect(await findTransfer(desk.db, elsewhere, id)).toBeNull();
    expect((await readTransfers(elsewhere, {})).rows).toEqual([]);
  });
});
