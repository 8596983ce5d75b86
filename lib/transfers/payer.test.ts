import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { proposeClosure } from "@/lib/accounts/close";
import { lookUp } from "@/lib/accounts/look-up";
import { noteBalance } from "@/lib/accounts/records";
import { account } from "@/lib/db/tables/customers";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer } from "@/lib/db/tables/transfers";
import type { Actor } from "@/lib/permission/grant";
import { givenFixture } from "@/test/support/approvals";
import { actorOf } from "@/test/support/console";
import { internalOrder } from "@/test/support/transfers";
import { readClosingHoldings, readPayer } from "./payer";
import { reviewTransfer } from "./review-transfer";

const FORM = { kind: "INTERNAL", userId: "user-1", amount: "10.00", description: "" } as const;
const NOTHING = { sum: "0.00", count: 0 };

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let approver: Actor<"transfers:read">;
let ref = "";
let other = "";

const order = (amount: string) => internalOrder(fixture.parties, { amount });
const accountOf = async (place: 0 | 1) => {
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  const found = await lookUp(reader, { query: fixture.parties[place].onBoardingId });
  return "accountRef" in found ? found.accountRef : "";
};

beforeEach(async () => {
  fixture = await givenFixture();
  approver = actorOf("approver", fixture.approverId, "transfers:read");
  ref = await accountOf(0);
  other = await accountOf(1);
});

async function payerAfter(read: { balance: string; asOf: Date }, amount = "5000.00") {
  await noteBalance("aurora", ref, { ...read, blockedBalance: "0.00", status: "" });
  const asked = order(amount);
  await fixture.propose(asked);
  return readPayer(approver, asked.intentId);
}

describe("the account that pays what somebody is to decide", () => {
  it("reads the paying account when the request opens", async () => {
    const before = await payerAfter({ balance: "7.00", asOf: new Date("2026-03-10T12:00:00.000Z") });
    expect(before).toMatchObject({ balance: "100000.00", isEarlier: false, left: NOTHING, isShort: false });
  });

  it("is read again when the last reading is over ten seconds old", async () => {
    const before = await payerAfter({ balance: "7.00", asOf: new Date(Date.now() - 11_000) });
    expect(before).toMatchObject({ balance: "100000.00", isEarlier: false });
  });

  it("reads the paying account again after a partial authorisation", async () => {
    const first = order("60000.00");
    const second = order("50000.00");
    const [id] = [await fixture.propose(first), await fixture.propose(second)];
    const wanted = { balance: "100000.00", waiting: { sum: "60000.00", count: 1 } };
    const opened = await readPayer(approver, second.intentId);
    expect(opened).toMatchObject({ ...wanted, isShort: false, isShortTogether: true });
    await fixture.authorising(id);
    expect(await readPayer(approver, second.intentId)).toMatchObject({
      balance: "40000.00",
      waiting: NOTHING,
      isShort: true,
    });
  });

  it("deducts what left since the reading while the provider is silent", async () => {
    const first = order("60000.00");
    const second = order("50000.00");
    const id = await fixture.propose(first);
    await fixture.propose(second);
    await readPayer(approver, second.intentId);
    await fixture.authorising(id);
    const silence = { method: "GET", path: "/v1/bank-accounts/balance", times: 1, status: 412 };
    await fixture.service.control("POST", "/sandbox/faults", silence);
    expect(await readPayer(approver, second.intentId)).toMatchObject({
      balance: "100000.00",
      left: { sum: "60000.00", count: 1 },
      rest: "40000.00",
      isEarlier: true,
      isShort: true,
    });
  });

  it("reads the paying account again after the transfer was held", async () => {
    const own = order("60000.00");
    const id = await fixture.propose(own);
    expect(await readPayer(approver, own.intentId)).toMatchObject({ balance: "100000.00", isBefore: false });
    await fixture.authorising(id);
    const after = { balance: "40000.00", blocked: "60000.00", left: NOTHING, isBefore: false, isShort: false };
    expect(await readPayer(approver, own.intentId)).toMatchObject(after);
  });

  it("says that the reading is older than the transfer while the provider is silent", async () => {
    const own = order("60000.00");
    const id = await fixture.propose(own);
    await readPayer(approver, own.intentId);
    await fixture.authorising(id);
    const silence = { method: "GET", path: "/v1/bank-accounts/balance", times: 1, status: 412 };
    await fixture.service.control("POST", "/sandbox/faults", silence);
    expect(await readPayer(approver, own.intentId)).toMatchObject({
      balance: "100000.00",
      left: { sum: "60000.00", count: 1 },
      rest: "40000.00",
      isBefore: true,
      isShort: false,
    });
  });

  it("reads the paying account again when read during the transfer", async () => {
    const own = order("60000.00");
    await fixture.authorising(await fixture.propose(own));
    const [sent] = await fixture.db.select().from(transfer);
    await noteBalance("aurora", ref, {
      balance: "100000.00",
      blockedBalance: "0.00",
      status: "",
      asOf: new Date((sent?.createdAt.getTime() ?? 0) + 1),
    });
    await fixture.db.update(providerIntent).set({ finishedAt: sql`clock_timestamp()` });
    expect(await readPayer(approver, own.intentId)).toMatchObject({ balance: "40000.00", isBefore: false });
  });

  it.each([
    ["4999.99", true],
    ["5000.00", false],
    ["-1.00", true],
  ])("counts %s, just read, as short: %s", async (balance, isShort) => {
    expect(await payerAfter({ balance, asOf: new Date() })).toMatchObject({ balance, isShort });
  });

  it("shows what is pending for an account about to close", async () => {
    await fixture.propose(order("20000.50"));
    await fixture.propose(order("6149.50"));
    const waiting = { sum: "26150.00", count: 2 };
    const reader = actorOf("approver", fixture.approverId, "accounts:read");
    expect(await readClosingHoldings(reader, ref)).toMatchObject({
      balance: "100000.00",
      at: expect.any(String),
      waiting,
      isShortTogether: false,
    });
  });

  it("tells approver and maker which account is being closed, or closed", async () => {
    const own = order("6149.50");
    await fixture.propose(own);
    const isOther = eq(account.ref, other);
    const closing = { intentId: randomUUID(), ref: other, userId: "user-1", reason: "Pedido do titular" };
    await proposeClosure(actorOf("support", fixture.makerId, "accounts:close"), closing);
    const told = async () => {
      const review = await reviewTransfer(fixture.maker, { ...FORM, from: ref, to: other });
      return [(await readPayer(approver, own.intentId))?.closing, review.closing];
    };
    const reader = actorOf("approver", fixture.approverId, "accounts:read");
    expect(await readClosingHoldings(reader, other)).toMatchObject({ arriving: { sum: "6149.50", count: 1 } });
    const asked = [{ party: "to", state: "CLOSING" }];
    expect(await told()).toEqual([asked, asked]);
    await fixture.db.update(account).set({ standing: "CLOSED" }).where(isOther);
    const closed = [{ party: "to", state: "CLOSED" }];
    expect(await told()).toEqual([closed, closed]);
    await fixture.db.update(account).set({ standing: "OPEN" }).where(isOther);
    await fixture.db.update(account).set({ standing: "CLOSED" }).where(eq(account.ref, ref));
    expect((await readPayer(approver, own.intentId))?.closing).toEqual([{ party: "from", state: "CLOSED" }, ...asked]);
  });

  it("shows the maker what else is pending for the account", async () => {
    await fixture.propose(order("20000.50"));
    await fixture.propose(order("6149.50"));
    const { waiting } = await reviewTransfer(fixture.maker, { ...FORM, from: ref, to: other });
    expect(waiting).toEqual({ sum: "26150.00", count: 2 });
  });
});
