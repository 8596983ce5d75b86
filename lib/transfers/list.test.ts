import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { followSilence } from "@/lib/db/provider-silence";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { givenFixture } from "@/test/support/approvals";
import { refuseRequest } from "@/lib/approvals/decide";
import { grant } from "@/lib/permission/grant";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { providerIntent } from "@/lib/db/tables/provider";
import { listUnknownOutcomes } from "@/lib/outcomes/queries";
import { runRetention } from "@/lib/privacy/retention";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf, givenStaff } from "@/test/support/console";
import { exportTransferList } from "./export-list";
import { findTransfer } from "./records";
import { readTransfers } from "./list";
import { findTransferPayee } from "./find-payee";
import { payee, transfer, transferPayee } from "@/lib/db/tables/transfers";
import { externalOrder, internalOrder, orderExternalTransfer, orderInternalTransfer } from "@/test/support/transfers";
import { givenIntentRows } from "@/test/support/claims";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const reader = () => actorOf("finance", fixture.makerId, "transfers:read");
const list = (filter: Parameters<typeof readTransfers>[1] = {}) => readTransfers(reader(), filter);
const internal = (amount: string) => orderInternalTransfer(fixture.maker, internalOrder(fixture.parties, { amount }));
const external = (value: string) => orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value }));

const refOf = async (place: 0 | 1) => {
  const found = await lookUp(actorOf("finance", fixture.makerId, "accounts:read"), {
    query: fixture.parties[place].onBoardingId,
  });
  return "accountRef" in found ? found.accountRef : "";
};

async function held(pendingExpiresAt: Date): Promise<void> {
  await fixture.db.update(providerIntent).set({ state: "HELD", antifraudId: "af-1", pendingExpiresAt });
}

describe("the list of transfers", () => {
  it("shows sent and waiting transfers newest first, each with its state", async () => {
    await internal("10.00");
    await external("20.00");
    const id = await fixture.propose();
    expect((await list()).rows.map(({ kind, state, amount }) => [kind, state, amount])).toEqual([
      ["INTERNAL", "WAITING", "5000.00"],
      ["EXTERNAL", "CONFIRMED", "20.00"],
      ["INTERNAL", "CONFIRMED", "10.00"],
    ]);
    await refuseRequest(fixture.approver, { approvalId: id, reason: "Falta o contrato" });
    expect((await list({ view: "unpaid" })).rows).toMatchObject([{ state: "DECLINED", approvalId: id }]);
  });

  it("is as old as the provider's last answer while the provider is silent", async () => {
    const since = "2026-11-22T14:03:00.000Z";
    followSilence("aurora", () => since);
    expect((await list()).asOf).toBe(since);
    followSilence("aurora", () => null);
    expect((await list()).asOf).not.toBe(since);
  });

  it("shows an executed proposal and its transfer as one row", async () => {
    const id = await fixture.propose();
    await fixture.authorising(id);
    expect((await list()).rows).toMatchObject([{ state: "CONFIRMED", approvalId: id, amount: "5000.00" }]);
  });

  it("shows held transfers with case and deadline, and blocked apart from refused", async () => {
    await internal("10.00");
    await held(new Date(Date.now() + 60_000));
    expect((await list({ view: "held" })).rows).toMatchObject([{ antifraudId: "af-1", until: expect.any(String) }]);
    await fixture.db.update(providerIntent).set({ state: "REFUSED", code: "TRANSACTION_BLOCKED" });
    expect((await list()).rows).toMatchObject([{ state: "BLOCKED" }]);
    await fixture.db.update(providerIntent).set({ state: "REFUSED", code: null });
    expect((await list()).rows).toMatchObject([{ state: "REFUSED" }]);
  });

  it("counts overdue and contradicted transfers as unanswered, not those held in time", async () => {
    const asked = async () => {
      vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: fixture.makerId, roles: ["finance"] }));
      const { counts, rows } = await list({ view: "unanswered" });
      expect(rows).toHaveLength(counts.unanswered);
      expect((await listUnknownOutcomes()).rows.map(({ intentId }) => intentId)).toEqual(rows.map(({ id }) => id));
      return [counts.held, counts.unanswered, counts.confirmed];
    };
    await internal("10.00");
    expect(await asked()).toEqual([0, 0, 1]);
    await held(new Date(Date.now() + 60_000));
    expect(await asked()).toEqual([1, 0, 0]);
    await held(new Date(Date.now() - 60_000));
    expect(await asked()).toEqual([0, 1, 0]);
    await fixture.db.update(providerIntent).set({ state: "UNKNOWN", nextTryAt: new Date() });
    expect(await asked()).toEqual([0, 1, 0]);
    await fixture.db.update(providerIntent).set({ state: "DONE", contradictedAt: new Date() });
    expect(await asked()).toEqual([0, 1, 0]);
    expect((await list()).rows).toMatchObject([{ state: "UNKNOWN" }]);
  });

  it("names known accounts by branch and number, and masks a TED's recipient", async () => {
    await external("20.00");
    await internal("10.00");
    await Promise.all([refOf(0), refOf(1)]);
    const [between, ted] = (await list()).rows;
    expect(between?.to).toMatchObject({ as: "account", name: expect.stringContaining(" / ") });
    expect(between?.from.document).toMatch(/^\*\*\*/);
    expect(ted?.to).toMatchObject({ as: "recipient", name: "J••• L•••", document: "***.533.447-**" });
    expect(JSON.stringify((await list()).rows)).not.toMatch(/39053344705|João/);
  });

  it("filters by account, type, period and maker, and counts what matches", async () => {
    const ref = await refOf(0);
    await internal("10.00");
    await external("20.00");
    expect((await list({ account: ref })).counts).toMatchObject({ all: 2, confirmed: 2 });
    expect((await list({ account: randomUUID() })).rows).toEqual([]);
    expect((await list({ kind: "EXTERNAL" })).rows).toHaveLength(1);
    expect((await list({ period: "1", who: "me" })).rows).toHaveLength(2);
    const other = actorOf("approver", fixture.approverId, "transfers:read");
    expect((await readTransfers(other, { who: "me" })).rows).toEqual([]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 48 * 3_600_000 });
    expect((await list({ period: "1" })).rows).toEqual([]);
    vi.useRealTimers();
  });

  it("marks unreadable transfers and shows the rest", async () => {
    await external("10.00");
    await fixture.db.update(providerIntent).set({ bodySealed: "garbage" });
    expect((await list()).rows).toMatchObject([{ to: null, amount: "10.00", state: "CONFIRMED" }]);
  });

  it("takes the payee from the authorised proposal when the order is gone", async () => {
    const proposed = await orderExternalTransfer(
      fixture.maker,
      externalOrder(fixture.parties[0], { value: "5000.00" }),
    );
    if (proposed.state !== "PROPOSED") throw new Error(`it was ${proposed.state}`);
    await fixture.authorising(proposed.approvalId);
    await fixture.db.update(providerIntent).set({ bodySealed: null });
    expect((await list()).rows).toMatchObject([{ to: { as: "recipient", name: "J••• L•••" }, amount: "5000.00" }]);
  });

  it("names the paid own account when the order is gone", async () => {
    await internal("10.00");
    await Promise.all([refOf(0), refOf(1)]);
    await fixture.db.update(providerIntent).set({ bodySealed: null });
    expect((await list()).rows).toMatchObject([{ to: { as: "account", name: expect.stringContaining(" / ") } }]);
  });

  it("lists one tenant's transfers", async () => {
    await internal("10.00");
    const [{ id } = { id: "" }] = (await list()).rows;
    const person = { staffId: fixture.makerId, tenant: "boreal", roles: ["finance"] } as const;
    const elsewhere = grant(person, "transfers:read");
    if (elsewhere === null) throw new Error("finance reads transfers");
    expect(await findTransfer(fixture.db, elsewhere, id)).toBeNull();
    expect((await readTransfers(elsewhere, {})).rows).toEqual([]);
  });
});

const wholeFile = async (filter: Parameters<typeof readTransfers>[1] = {}, staffId = fixture.makerId) => {
  const { parts } = await exportTransferList(actorOf("finance", staffId, "statement:export"), filter);
  let text = "";
  for await (const part of parts) text += part;
  return text.trimEnd().split("\r\n");
};
/** Without its last line, the total. */
const exported = async (filter: Parameters<typeof readTransfers>[1] = {}) => (await wholeFile(filter)).slice(0, -2);

/** 450 within one millisecond, 1 cent to 4.50, and the one of 10.00 that they copy. */
async function givenMany(): Promise<void> {
  await internal("10.00");
  const [row] = await fixture.db.select().from(transfer);
  const [intent] = await fixture.db.select().from(providerIntent);
  if (row === undefined || intent === undefined) throw new Error("nothing was sent");
  const ids = Array.from({ length: 450 }, () => randomUUID());
  await givenIntentRows(fixture.db, ...ids.map((id) => ({ ...intent, id, key: randomUUID() })));
  const copies = ids.map((intentId, index) => ({ ...row, intentId, amount: ((index + 1) / 100).toFixed(2) }));
  await fixture.db.insert(transfer).values(copies);
}

describe("the list as a file", () => {
  it("exports every match, newest first, masked, with an audit row", async () => {
    await external("20.00");
    await internal("10.00");
    await fixture.propose();
    const [header, ...lines] = await exported();
    expect(header).toMatch(/^\uFEFF"ID","Type","Status"/);
    expect(lines.map((line) => line.split(",").slice(1, 4))).toEqual([
      ['"Between accounts"', '"In approval"', "5000.00"],
      ['"Between accounts"', '"Confirmed"', "10.00"],
      ['"TED"', '"Confirmed"', "20.00"],
    ]);
    expect(lines.join()).not.toContain(externalOrder(fixture.parties[0]).document);
    expect(await exported({ kind: "EXTERNAL" })).toHaveLength(2);
    const codes = (await fixture.db.select().from(auditEvent)).map(({ code }) => code);
    expect(codes.filter((code) => code === "transfers.export")).toHaveLength(2);
  });

  it("names why somebody rejected a transfer, masked, to who may open the request", async () => {
    const approvalId = await fixture.propose();
    await refuseRequest(fixture.approver, { approvalId, reason: "Falta o contrato de 390.533.447-05" });
    const [, line = ""] = await exported();
    expect(line).toContain('"Rejected"');
    expect(line).toContain('"Falta o contrato de ***.533.447-**"');
    const others = await wholeFile({}, await givenStaff(fixture.db, "finance"));
    expect(others[1]).toContain('"The requester and auditors read the reason."');
  });

  it("ends the file with the number and sum of its transfers, and of confirmed ones", async () => {
    await external("20.00");
    await internal("10.00");
    await fixture.propose();
    const [ordered, confirmed] = (await wholeFile()).slice(-2);
    expect(ordered).toMatch(/^,+"Total requested: 3 transfers: BRL 5030\.00"$/);
    expect(confirmed).toMatch(/^,+"Of which confirmed: 2 transfers: BRL 30\.00"$/);
    expect((await wholeFile({ max: "15" })).at(-2)).toMatch(/^,+"Total requested: 1 transfer: BRL 10\.00"$/);
  });

  it("exports each transfer once, even with many in one millisecond", async () => {
    await givenMany();
    const [, ...lines] = await exported();
    expect(new Set(lines.map((line) => line.split(";")[0])).size).toBe(451);
    expect(lines).toHaveLength(451);
  });

  it("sums an export's lines as the list does", async () => {
    await givenMany();
    const filter = { min: "1.07", max: "3.90" };
    const [, ...lines] = await wholeFile(filter);
    const notes = lines.splice(-2).map((line) => BigInt(/BRL (\d+\.\d\d)"$/.exec(line)?.[1]?.replace(".", "") ?? ""));
    const cents = lines.map((line) => BigInt(/,(\d+\.\d\d),/.exec(line)?.[1]?.replace(".", "") ?? ""));
    const [total, confirmed] = notes;
    expect(cents).toHaveLength(284);
    expect(cents.reduce((sum, one) => sum + one, 0n)).toBe(total);
    expect(confirmed).toBe(total);
    const { sum } = await list(filter);
    expect(BigInt(sum.amount.replace(".", ""))).toBe(total);
  });
});

async function age(days: number): Promise<void> {
  const then = sql`clock_timestamp() - ${days} * interval '1 day'`;
  await fixture.db.update(transfer).set({ createdAt: then });
  await fixture.db.update(transferPayee).set({ orderedAt: then });
  await fixture.db.update(providerIntent).set({ createdAt: then, finishedAt: then });
  await fixture.db.update(payee).set({ savedAt: then, paidAt: then });
  await runRetention(fixture.db, { tenant: "aurora", by: "command", isDaily: false });
}

describe("the payee of a transfer of day 1", () => {
  it("lists, finds and exports a payee on day 399, but no longer offers it", async () => {
    await external("20.00");
    await age(399);
    expect((await list()).rows).toMatchObject([{ to: { name: "J••• L•••", document: "***.533.447-**" } }]);
    const found = await findTransferPayee(reader(), { query: "39053344705" });
    const [, line, ...others] = await exported({ payeeOf: found.intentId ?? undefined });
    expect(line).toContain("***.533.447-**");
    expect(others).toEqual([]);
    expect(await fixture.db.$count(payee)).toBe(0);
  });

  it("erases a payee after the bookkeeping years", async () => {
    await external("20.00");
    await age(3_700);
    expect((await list()).rows).toMatchObject([{ to: null, amount: "20.00" }]);
    expect(await fixture.db.$count(transferPayee)).toBe(0);
  });
});
