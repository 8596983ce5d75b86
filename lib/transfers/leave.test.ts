import type { DayLimits } from "@/lib/permission/limits";
import { type ApprovalKindName, termsOf } from "@/lib/permission/writes";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { givenFixture, givenPolicy } from "@/test/support/approvals";
import { approval, approvalPolicy } from "@/lib/db/tables/approvals";
import { readSnapshot } from "@/lib/approvals/snapshot";
import { providerIntent } from "@/lib/db/tables/provider";
import { auditEvent } from "@/lib/db/tables/audit";
import { actorOf, givenStaff } from "@/test/support/console";
import { transfer } from "@/lib/db/tables/transfers";
import {
  externalOrder,
  internalOrder,
  openAccount,
  orderExternalTransfer,
  orderInternalTransfer,
} from "@/test/support/transfers";
import type { Account } from "@/test/support/service/transfers";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
beforeEach(async () => {
  fixture = await givenFixture();
});

const VERBS = {
  "transfer.internal": (amount: string) =>
    orderInternalTransfer(fixture.maker, internalOrder(fixture.parties, { amount })),
  "transfer.external": (value: string) =>
    orderExternalTransfer(fixture.maker, externalOrder(fixture.parties[0], { value })),
} as const satisfies Partial<Record<ApprovalKindName, unknown>>;
const KINDS = ["transfer.internal", "transfer.external"] as const;

const cells = KINDS.flatMap((kind) => [
  { kind, amount: "4999.99", state: "DONE" },
  { kind, amount: "5000.00", state: "PROPOSED" },
  { kind, amount: "5000", state: "PROPOSED" },
  { kind, amount: "0005000.0", state: "PROPOSED" },
  { kind, amount: "50000.00", state: "PROPOSED" },
]);

/** Both payees were paid on an earlier day, so that another limit is measured. */
async function paidBefore(): Promise<void> {
  await VERBS["transfer.internal"]("1.00");
  await VERBS["transfer.external"]("1.00");
  await fixture.db.update(transfer).set({ createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000) });
  fixture.sent.sent = 0;
}

const admin = async () => actorOf("admin", await givenStaff(fixture.db, "admin"), "settings:manage");

describe("without a policy of the tenant's own", () => {
  it.each(cells)("makes a $kind of $amount $state", async ({ kind, amount, state }) => {
    await paidBefore();
    await expect(VERBS[kind](amount)).resolves.toMatchObject({ state });
    expect(await fixture.db.$count(approval)).toBe(state === "PROPOSED" ? 1 : 0);
    expect(fixture.sent.sent).toBe(state === "PROPOSED" ? 0 : 1);
  });
});

const pays = (from: Account, to: Account, amount: string) =>
  orderInternalTransfer(fixture.maker, internalOrder([from, to], { amount }));
const accounts = (count: number, reais = 0) =>
  Promise.all(Array.from({ length: count }, () => openAccount(fixture.service, reais)));

describe("without a policy of the tenant's own, one person alone", () => {
  it("sends one payee the same limit from four accounts as from one", async () => {
    await paidBefore();
    const [first, payee] = fixture.parties;
    const answers = [];
    for (const from of [first, ...(await accounts(3, 10_000))]) answers.push(await pays(from, payee, "4998.00"));
    expect(answers.map(({ state }) => state)).toEqual(["DONE", "PROPOSED", "PROPOSED", "PROPOSED"]);
    for (const answer of answers.slice(1))
      expect(await whyOf(answer)).toMatchObject({ by: "payee-sum", sum: "4998.00", limit: "5000.00" });
  });

  it("keeps one person within a daily limit over several accounts and payees", async () => {
    const payers = await accounts(3, 10_000);
    const payees = await accounts(3);
    for (const [place, from] of payers.entries()) await pays(from, payees[place] ?? from, "1.00");
    await fixture.db.update(transfer).set({ createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000) });
    const answers = [];
    for (const [place, from] of payers.entries()) answers.push(await pays(from, payees[place] ?? from, "4000.00"));
    expect(answers.map(({ state }) => state)).toEqual(["DONE", "DONE", "PROPOSED"]);
    expect(await whyOf(answers[2] ?? { state: "" })).toMatchObject({
      by: "person-sum",
      sum: "8000.00",
      limit: "10000.00",
    });
  });

  it.each(KINDS)("pays no new payee from R$ 1,000 on: %s", async (kind) => {
    await expect(VERBS[kind]("999.99")).resolves.toMatchObject({ state: "DONE" });
    expect(await whyOf(await VERBS[kind]("0.01"))).toEqual({
      as: "why",
      by: "first-sum",
      sum: "999.99",
      count: 1,
      limit: "1000.00",
    });
  });

  it("makes no payee known by a returned or same-day payment", async () => {
    await VERBS["transfer.external"]("1.00");
    expect(await whyOf(await VERBS["transfer.external"]("1000.00"))).toMatchObject({ by: "first-sum" });
    const createdAt = new Date(Date.now() - 24 * 60 * 60 * 1000);
    await fixture.db.update(transfer).set({ createdAt, returnedAt: new Date() });
    expect(await whyOf(await VERBS["transfer.external"]("1000.01"))).toMatchObject({ by: "first-sum" });
    await fixture.db.update(transfer).set({ returnedAt: null });
    await expect(VERBS["transfer.external"]("1000.02")).resolves.toMatchObject({ state: "DONE" });
  });
});

describe("what is split below the policy", () => {
  const internal = VERBS["transfer.internal"];
  beforeEach(paidBefore);

  it("asks approval once an account's daily sum of both kinds reaches the limit", async () => {
    await expect(internal("3000.00")).resolves.toMatchObject({ state: "DONE" });
    await expect(VERBS["transfer.external"]("1999.99")).resolves.toMatchObject({ state: "DONE" });
    await expect(internal("0.01")).resolves.toMatchObject({ state: "PROPOSED" });
    expect(fixture.sent.sent).toBe(2);
  });

  it("ignores refused and approved transfers, and those of other days", async () => {
    const alone = { kind: "transfer.internal", rule: "above", amount: "5000.00", expiresAfterHours: 24 } as const;
    await givenPolicy(await admin(), { ...alone, version: 0 });
    await fixture.authorising(await fixture.propose());
    await expect(internal("3000.00")).resolves.toMatchObject({ state: "DONE" });
    await expect(internal("1999.00")).resolves.toMatchObject({ state: "DONE" });
    await fixture.db.update(providerIntent).set({ state: "REFUSED" });
    await expect(internal("4000.00")).resolves.toMatchObject({ state: "DONE" });
    await fixture.db.update(transfer).set({ createdAt: new Date(Date.now() - 24 * 60 * 60 * 1000) });
    await expect(internal("4001.00")).resolves.toMatchObject({ state: "DONE" });
  });

  it("sends no split transfer by concurrent requests either", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => internal(`90${n}.00`)));
    expect(fixture.sent.sent).toBe(5);
    const states = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.state : answer.reason));
    expect(states.filter((state) => state === "DONE")).toHaveLength(5);
    expect(states.filter((state) => state === "PROPOSED")).toHaveLength(3);
  });
});

const limit = async (kind: (typeof KINDS)[number], limits: Partial<DayLimits>) =>
  givenPolicy(await admin(), {
    kind,
    version: 0,
    rule: "above",
    amount: "90000.00",
    ...limits,
    expiresAfterHours: 24,
  });
const back = (amount: string) =>
  orderInternalTransfer(fixture.maker, internalOrder([fixture.parties[1], fixture.parties[0]], { amount }));
const factOf = async (answer: { state: string; approvalId?: string }, wanted: string) => {
  const [row] = await fixture.db
    .select()
    .from(approval)
    .where(eq(approval.id, answer.approvalId ?? ""));
  return row && (await readSnapshot(row))?.shown.facts.find(({ name }) => name === wanted)?.after;
};
const whyOf = (answer: { state: string; approvalId?: string }) => factOf(answer, "why");
const other = async () => actorOf("finance", await givenStaff(fixture.db, "finance"), "transfers:create");

describe("what a policy limits a day", () => {
  it("sums one person's transfers across accounts and kinds, shown to the approver", async () => {
    await limit("transfer.internal", { personSum: "300.00" });
    await expect(VERBS["transfer.external"]("150.00")).resolves.toMatchObject({ state: "DONE" });
    await expect(VERBS["transfer.internal"]("149.99")).resolves.toMatchObject({ state: "DONE" });
    const answer = await back("0.01");
    expect(answer).toMatchObject({ state: "PROPOSED" });
    expect(await whyOf(answer)).toEqual({ as: "why", by: "person-sum", sum: "299.99", count: 2, limit: "300.00" });
    const someone = await other();
    await expect(
      orderInternalTransfer(someone, internalOrder(fixture.parties, { amount: "299.00" })),
    ).resolves.toMatchObject({ state: "DONE" });
  });

  it("needs approval once a person has sent the limit of transfers in a day", async () => {
    await limit("transfer.internal", { personCount: 2 });
    await expect(VERBS["transfer.internal"]("1.00")).resolves.toMatchObject({ state: "DONE" });
    await expect(VERBS["transfer.internal"]("2.00")).resolves.toMatchObject({ state: "DONE" });
    expect(await whyOf(await VERBS["transfer.internal"]("3.00"))).toMatchObject({
      by: "person-count",
      count: 2,
      limit: "2",
    });
  });

  it("sums what one account receives from anyone, in any spelling of its number", async () => {
    await limit("transfer.external", { payeeCount: 2, payeeSum: "500.00" });
    const [from] = fixture.parties;
    await expect(VERBS["transfer.external"]("100.00")).resolves.toMatchObject({ state: "DONE" });
    const written = { ...externalOrder(from, { value: "10.00" }), branchCode: "123", accountCode: "987654" };
    await expect(orderExternalTransfer(await other(), written)).resolves.toMatchObject({ state: "DONE" });
    expect(await whyOf(await VERBS["transfer.external"]("1.00"))).toMatchObject({
      by: "payee-count",
      count: 2,
      limit: "2",
    });
    expect(await whyOf(await VERBS["transfer.external"]("390.00"))).toMatchObject({
      by: "payee-sum",
      sum: "110.00",
      limit: "500.00",
    });
    const elsewhere = { ...externalOrder(from, { value: "1.00" }), accountCode: "1-9" };
    await expect(orderExternalTransfer(fixture.maker, elsewhere)).resolves.toMatchObject({ state: "DONE" });
  });

  it("sums what everybody sends from all accounts", async () => {
    await limit("transfer.internal", { tenantSum: "300.00" });
    await expect(VERBS["transfer.external"]("150.00")).resolves.toMatchObject({ state: "DONE" });
    const elsewhere = [await openAccount(fixture.service, 1000), await openAccount(fixture.service)] as const;
    const order = internalOrder(elsewhere, { amount: "150.00" });
    expect(await whyOf(await orderInternalTransfer(await other(), order))).toMatchObject({
      by: "tenant-sum",
      sum: "150.00",
      limit: "300.00",
    });
  });

  it.each([
    ["what everybody sends", { tenantSum: "500.00" }],
    ["what somebody new receives", { firstSum: "500.00" }],
    ["what a person sends", { personSum: "500.00" }],
    ["what a payee receives", { payeeSum: "500.00" }],
    ["how many a person sends", { personCount: 4 }],
    ["how many a payee receives", { payeeCount: 4 }],
  ])("keeps the day's limits for many concurrent requests: %s", async (_, limits) => {
    await limit("transfer.external", limits);
    const orders = Array.from({ length: 12 }, (__, n) => externalOrder(fixture.parties[0], { value: `10${n}.00` }));
    const answers = await Promise.allSettled(orders.map((order) => orderExternalTransfer(fixture.maker, order)));
    const states = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.state : answer.reason));
    expect(fixture.sent.sent).toBe(4);
    expect(states.filter((state) => state === "DONE")).toHaveLength(4);
    expect(states.filter((state) => state === "PROPOSED")).toHaveLength(8);
  });

  it("calls a policy looser when a daily limit is removed or raised", async () => {
    const someone = await admin();
    const change = { kind: "transfer.internal", ...termsOf("transfer.internal").standard, amount: "100.00" } as const;
    await givenPolicy(someone, { ...change, version: 0, personCount: 5, payeeSum: "50.00" });
    await givenPolicy(someone, { ...change, version: 1, personCount: 5, payeeSum: null });
    await givenPolicy(someone, { ...change, version: 2, personCount: 5, payeeSum: null, tenantSum: null });
    await givenPolicy(someone, {
      ...change,
      version: 3,
      personCount: 5,
      payeeSum: null,
      tenantSum: null,
      firstSum: "1000.01",
    });
    const rows = await fixture.db.select({ detail: auditEvent.detail }).from(auditEvent);
    expect(rows.map(({ detail }) => detail)).toMatchObject([
      { fromPersonCount: null, toPersonCount: 5, fromPayeeSum: "5000.00", toPayeeSum: "50.00", loosens: false },
      { fromPayeeSum: "50.00", toPayeeSum: null, loosens: true },
      { fromTenantSum: "50000.00", toTenantSum: null, loosens: true },
      { fromFirstSum: "1000.00", toFirstSum: "1000.01", loosens: true },
    ]);
  });
});

describe("whom a proposal pays", () => {
  it("marks a payee first-time until a transfer to that account is confirmed", async () => {
    const isFirst = async (id: string) => {
      const [row] = await fixture.db.select().from(approval).where(eq(approval.id, id));
      return row && (await readSnapshot(row))?.shown.facts.some(({ name }) => name === "firstUse");
    };
    expect(await isFirst(await fixture.propose())).toBe(true);
    await expect(VERBS["transfer.internal"]("1.00")).resolves.toMatchObject({ state: "DONE" });
    const second = internalOrder(fixture.parties, { amount: "5000.01" });
    expect(await isFirst(await fixture.propose(second))).toBe(false);
  });

  it("shows the payee to the second person with bank name and account type", async () => {
    const bank = { institutionIspb: "00000000", institutionCode: 1 };
    const order = externalOrder(fixture.parties[0], { value: "5000.00", ...bank });
    const asked = await orderExternalTransfer(fixture.maker, order);
    expect(await factOf(asked, "institution")).toEqual({ as: "text", text: "001 · Banco do Brasil S.A. (00000000)" });
    expect(await factOf(asked, "accountType")).toEqual({ as: "account-type", type: "CACC" });
  });
});

describe("a policy", () => {
  const change = { kind: "transfer.internal", version: 0, expiresAfterHours: 24 } as const;

  it("applies a policy from the next order, to the cent, and only to its kind", async () => {
    await givenPolicy(await admin(), { ...change, rule: "above", amount: "100.10" });
    await expect(VERBS["transfer.internal"]("100.09")).resolves.toMatchObject({ state: "DONE" });
    await expect(VERBS["transfer.internal"]("100.10")).resolves.toMatchObject({ state: "PROPOSED" });
    await expect(VERBS["transfer.external"]("100.10")).resolves.toMatchObject({ state: "DONE" });
  });

  it("applies a new policy to later proposals, not to open ones", async () => {
    const id = await fixture.propose();
    await givenPolicy(await admin(), { ...change, rule: "never", amount: null });
    expect(await fixture.stateOf(id)).toEqual(["PENDING", null]);
    await expect(VERBS["transfer.internal"]("70000.00")).resolves.not.toMatchObject({ state: "PROPOSED" });
  });

  it("versions a policy, with author, time and change on record", async () => {
    const someone = await admin();
    await givenPolicy(someone, { ...change, rule: "above", amount: "9000.00" });
    await givenPolicy(someone, { ...change, version: 1, rule: "always", amount: null });
    expect(await fixture.db.select().from(approvalPolicy).orderBy(approvalPolicy.version)).toMatchObject([
      { version: 1, rule: "above", amount: "9000.00", staffId: someone.id },
      { version: 2, rule: "always", amount: null, staffId: someone.id },
    ]);
    expect(await fixture.db.select().from(auditEvent).orderBy(auditEvent.seq)).toMatchObject([
      { code: "settings.approval-policy", detail: { fromAmount: "5000.00", toAmount: "9000.00", loosens: true } },
      { code: "settings.approval-policy", detail: { fromRule: "above", toRule: "always", loosens: false } },
    ]);
  });

  it("refuses to overwrite somebody else's change of a policy", async () => {
    const someone = await admin();
    await givenPolicy(someone, { ...change, rule: "always", amount: null });
    await expect(givenPolicy(someone, { ...change, rule: "never", amount: null })).rejects.toMatchObject({
      details: { code: "policy-changed" },
    });
  });
});
