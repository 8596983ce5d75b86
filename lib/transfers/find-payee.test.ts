import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { grant } from "@/lib/permission/grant";
import { givenFixture } from "@/test/support/approvals";
import { actorOf } from "@/test/support/console";
import { externalOrder, internalOrder, orderExternalTransfer, orderInternalTransfer } from "@/test/support/transfers";
import { findTransferPayee } from "./find-payee";
import { readTransfers } from "./list";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const reader = () => actorOf("finance", fixture.makerId, "transfers:read");
const list = (filter: Parameters<typeof readTransfers>[1] = {}) => readTransfers(reader(), filter);
const find = (query: string) => findTransferPayee(reader(), { query });
const amountsOf = async (filter: Parameters<typeof readTransfers>[1]) =>
  (await list(filter)).rows.map(({ amount }) => amount);

async function ordered(): Promise<void> {
  await orderInternalTransfer(fixture.maker, internalOrder(fixture.parties, { amount: "10.00" }));
  await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value: "20.00" }));
}

describe("a payee that somebody looks for", () => {
  it.each([
    ["document", "390.533.447-05", "***.533.447-**"],
    ["name", " JOAO  lima", "J••• L•••"],
  ] as const)("finds a payee by %s and identifies it by a transfer in the URL", async (by, query, shown) => {
    await ordered();
    const found = await find(query);
    expect(found).toEqual({ by, intentId: expect.any(String) });
    const narrowed = await list({ payeeOf: found.intentId ?? undefined, payeeBy: by });
    expect(narrowed).toMatchObject({ total: 1, payee: shown, sum: { amount: "20.00", unknown: 0 } });
    expect(JSON.stringify(narrowed)).not.toMatch(/39053344705|João/);
  });

  it("finds a payee by an own account's document", async () => {
    const [, to] = fixture.parties;
    await lookUp(actorOf("finance", fixture.makerId, "accounts:read"), { query: to.onBoardingId });
    await ordered();
    const { intentId } = await find(to.documentNumber);
    expect(await amountsOf({ payeeOf: intentId ?? undefined, payeeBy: "document" })).toEqual(["10.00"]);
  });

  it("lists what was paid to an account that nobody looked up", async () => {
    const order = internalOrder(fixture.parties, { amount: "10.00" });
    await orderInternalTransfer(fixture.maker, order);
    await orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value: "20.00" }));
    const narrowed = await list({ payeeOf: order.intentId });
    expect(narrowed).toMatchObject({ total: 1, payee: fixture.parties[1].accountId });
  });

  it("finds no payee by another document, part of a name or an invalid key", async () => {
    await ordered();
    expect(await find("529.982.247-25")).toEqual({ by: "document", intentId: null });
    expect(await find("Lima")).toEqual({ by: "name", intentId: null });
    expect(await find("joao@example.com")).toEqual({ by: "pix-key", intentId: null });
  });

  it.each([
    ["111.222.333-44", "slip"],
    ["12.345.678/0001-00", "slip"],
    ["104756-6", "number"],
  ])("does not search payees by name for %s", async (query, by) => {
    expect(await find(query)).toEqual({ by, intentId: null });
  });

  it("finds no payee at another tenant", async () => {
    await ordered();
    const { intentId } = await find("39053344705");
    const elsewhere = grant({ staffId: fixture.makerId, tenant: "boreal", roles: ["finance"] }, "transfers:read");
    if (elsewhere === null) throw new Error("finance reads transfers");
    expect(await findTransferPayee(elsewhere, { query: "39053344705" })).toEqual({ by: "document", intentId: null });
    const narrowed = await readTransfers(elsewhere, { payeeOf: intentId ?? undefined });
    expect(narrowed).toMatchObject({ total: 0, payee: "⊘" });
  });

  it("finds a payee among proposals", async () => {
    const order = externalOrder(fixture.parties[0], { value: "5000.00" });
    expect(await orderExternalTransfer(fixture.maker, order)).toMatchObject({ state: "PROPOSED" });
    expect(await find("39053344705")).toEqual({ by: "document", intentId: order.intentId });
  });
});

describe("the filtered list", () => {
  it("filters transfers by amount, bank, status and person, and sums them", async () => {
    await ordered();
    expect(await amountsOf({ min: "10.01" })).toEqual(["20.00"]);
    expect(await amountsOf({ max: "10" })).toEqual(["10.00"]);
    expect(await amountsOf({ bank: "00000208" })).toEqual(["20.00"]);
    expect(await amountsOf({ state: "HELD" })).toEqual([]);
    expect(await amountsOf({ who: fixture.approverId })).toEqual([]);
    const whole = await list({ who: fixture.makerId, state: "CONFIRMED" });
    expect(whole.sum).toEqual({ amount: "30.00", confirmed: "30.00", unknown: 0 });
    expect(whole.people.map(({ id }) => id)).toEqual([fixture.makerId]);
    expect(whole.banks.map(({ ispb }) => ispb)).toEqual(["00000208"]);
  });

  it("includes both days of a period, and lists nothing for a reversed one", async () => {
    await ordered();
    await fixture.db.execute("update transfer set created_at = '2026-03-10 23:59:59-03' where kind = 'INTERNAL'");
    expect(await amountsOf({ from: "2026-03-10", to: "2026-03-10" })).toEqual(["10.00"]);
    expect(await amountsOf({ from: "2026-03-12", to: "2026-03-09" })).toEqual([]);
    expect(await amountsOf({ to: "2026-03-09" })).toEqual([]);
    expect(await amountsOf({ from: "2026-03-11", to: "2026-03-12" })).toEqual([]);
  });
});
