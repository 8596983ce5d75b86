import { orderTransfer } from "./order-transfer";
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { approval } from "@/lib/db/tables/approvals";
import { account } from "@/lib/db/tables/customers";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer } from "@/lib/db/tables/transfers";
import { givenFixture, givenPolicy } from "@/test/support/approvals";
import { actorOf, givenStaff } from "@/test/support/console";
import { TransferOrder } from "./inputs";

let fixture: Awaited<ReturnType<typeof givenFixture>>;
let payers: string[] = [];
let other = "";

beforeEach(async () => {
  fixture = await givenFixture();
  const reader = actorOf("finance", fixture.makerId, "accounts:read");
  payers = [];
  for (const { onBoardingId } of fixture.parties) {
    const found = await lookUp(reader, { query: onBoardingId });
    payers.push("accountRef" in found ? found.accountRef : "");
  }
  other = await givenStaff(fixture.db, "finance");
});

const FORMS = {
  "a transfer between accounts": () => ({
    kind: "INTERNAL",
    from: payers[0],
    to: payers[1],
    userId: "user-1",
    amount: "900,00",
    description: "",
  }),
  "a TED": () => ({
    kind: "EXTERNAL",
    from: payers[0],
    userId: "user-1",
    amount: "900,00",
    institutionIspb: "60701190",
    institutionCode: "341",
    branchCode: "0123",
    accountCode: "98765-4",
    bankAccountType: "CACC",
    document: "390.533.447-05",
    name: "João Lima",
  }),
} as const;
const KINDS = ["a transfer between accounts", "a TED"] as const;
type Kind = (typeof KINDS)[number];

type Changes = { from?: string; seen?: string[]; by?: string; amount?: string };

const order = (kind: Kind, { by = fixture.makerId, ...changes }: Changes = {}) => {
  const form = TransferOrder.parse({ ...FORMS[kind](), intentId: randomUUID(), seen: [], ...changes });
  return orderTransfer(actorOf("finance", by, "transfers:create"), form);
};

const rule = async (name: "always" | "never", version = 0) => {
  const admin = actorOf("admin", await givenStaff(fixture.db, "admin"), "settings:manage");
  for (const kind of ["transfer.internal", "transfer.external"] as const)
    await givenPolicy(admin, { kind, version, rule: name, amount: null, expiresAfterHours: 24 });
};

const approvalOf = async (intentId: string) => {
  const [row] = await fixture.db.select().from(approval).where(eq(approval.intentId, intentId));
  if (row === undefined) throw new Error("it was not proposed");
  return row.id;
};
const authorise = async (intentId: string) => fixture.authorising(await approvalOf(intentId));
const endOf = async (intentId: string) => fixture.stateOf(await approvalOf(intentId));
const intentIs = (id: string, set: Partial<typeof providerIntent.$inferInsert>) =>
  fixture.db.update(providerIntent).set(set).where(eq(providerIntent.id, id));

const close = (nth: 0 | 1) =>
  fixture.db
    .update(account)
    .set({ standing: "CLOSED" })
    .where(eq(account.ref, payers[nth] ?? ""));

const refusing = (code: string) => ({ kind: "conflict", details: { code } });

const STAGES = {
  waiting: { code: "possible-duplicate", bring: async () => undefined },
  authorised: {
    code: "transfer-unsettled",
    bring: async (id: string) => {
      await fixture.db.update(approval).set({ state: "AUTHORISED" }).where(eq(approval.intentId, id));
    },
  },
  sending: {
    code: "transfer-unsettled",
    bring: async (id: string) => {
      await authorise(id);
      await intentIs(id, { state: "SENDING", finishedAt: null });
    },
  },
  unknown: {
    code: "transfer-unsettled",
    bring: async (id: string) => {
      fixture.sent.requestsLost = 100;
      await authorise(id);
      fixture.sent.requestsLost = 0;
    },
  },
  held: {
    code: "possible-duplicate",
    bring: async (id: string) => {
      await authorise(id);
      await intentIs(id, { state: "HELD" });
    },
  },
  contradicted: {
    code: "transfer-unsettled",
    bring: async (id: string) => {
      await authorise(id);
      await intentIs(id, { state: "REFUSED", contradictedAt: new Date() });
    },
  },
} as const;
const stages = ["waiting", "authorised", "sending", "unknown", "held", "contradicted"] as const;

async function tenAtOnce(kind: Kind, seen: string[] = []) {
  const asked = Array.from({ length: 10 }, (_, nth) =>
    order(kind, { by: nth % 2 === 0 ? fixture.makerId : other, seen }),
  );
  const answers = await Promise.allSettled(asked);
  const refusals = answers.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ kind: "conflict" })));
  return answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

describe.each(KINDS)("ten like orders at once by two people: %s", (kind) => {
  it("creates one proposal for ten concurrent similar orders", async () => {
    await rule("always");
    expect(await tenAtOnce(kind)).toMatchObject([{ state: "PROPOSED" }]);
    expect(await fixture.db.$count(approval)).toBe(1);
    expect(fixture.sent.sent).toBe(0);
  });

  it("sends one of ten similar orders when no approval is needed", async () => {
    await rule("never");
    expect(await tenAtOnce(kind)).toMatchObject([{ state: "DONE" }]);
    expect(fixture.sent.sent).toBe(1);
  });

  it("sends one more after both saw the earlier one, not ten", async () => {
    await rule("never");
    const { id } = await order(kind);
    expect(await tenAtOnce(kind, [id])).toMatchObject([{ state: "DONE" }]);
    expect(fixture.sent.sent).toBe(2);
  });

  it.each(stages)("sends none without a confirmation beside one that is %s", async (stage) => {
    await rule("always");
    const { id } = await order(kind);
    await STAGES[stage].bring(id);
    const left = fixture.sent.sent;
    await expect(order(kind, { by: other })).rejects.toMatchObject(refusing(STAGES[stage].code));
    await rule("never", 1);
    await expect(order(kind, { by: other })).rejects.toMatchObject(refusing(STAGES[stage].code));
    expect(await tenAtOnce(kind)).toEqual([]);
    expect(fixture.sent.sent).toBe(left);
  });
});

it.each(KINDS)("counts an unconfirmed one of any age: %s", async (kind) => {
  await rule("never");
  const { id } = await order(kind);
  const createdAt = new Date(Date.now() - 9 * 24 * 60 * 60_000);
  await fixture.db.update(transfer).set({ createdAt, fingerprint: "of another day" });
  await intentIs(id, { state: "UNKNOWN", finishedAt: null });
  await expect(order(kind, { seen: [id] })).rejects.toMatchObject(refusing("transfer-unsettled"));
  expect(fixture.sent.sent).toBe(1);
});

describe.each(KINDS)("what was proposed is asked again when it is carried out: %s", (kind) => {
  const paired = async () => {
    await rule("always");
    const first = await order(kind);
    const second = await order(kind, { by: other, seen: [first.id] });
    return { first: first.id, second: second.id };
  };

  it("sends two orders when the second was confirmed beside the first", async () => {
    const { first, second } = await paired();
    await authorise(second);
    await authorise(first);
    expect([await endOf(first), await endOf(second)]).toEqual([
      ["EXECUTED", null],
      ["EXECUTED", null],
    ]);
    expect(fixture.sent.sent).toBe(2);
  });

  it("does not send the second order while the first is unconfirmed", async () => {
    const { first, second } = await paired();
    await STAGES.unknown.bring(first);
    const left = fixture.sent.sent;
    await authorise(second);
    expect(await endOf(second)).toEqual(["FAILED", "transfer-unsettled"]);
    expect(fixture.sent.sent).toBe(left);
  });

  it("does not send an order when its like was settled as sent", async () => {
    await rule("always");
    const { id } = await order(kind);
    await authorise(id);
    await intentIs(id, { state: "REFUSED" });
    const again = await order(kind, { by: other });
    await intentIs(id, { contradictedAt: new Date() });
    await authorise(again.id);
    expect(await endOf(again.id)).toEqual(["FAILED", "transfer-unsettled"]);
    expect(fixture.sent.sent).toBe(1);
  });

  it("does not send an order when its like was recorded as done", async () => {
    await rule("always");
    const { id } = await order(kind);
    await authorise(id);
    await intentIs(id, { state: "REFUSED" });
    const again = await order(kind, { by: other });
    await intentIs(id, { state: "DONE" });
    await authorise(again.id);
    expect(await endOf(again.id)).toEqual(["FAILED", "possible-duplicate"]);
    expect(fixture.sent.sent).toBe(1);
  });

  it("sends nothing from an account closed in the meantime", async () => {
    await rule("always");
    const { id } = await order(kind);
    await close(0);
    await authorise(id);
    expect(await endOf(id)).toEqual(["FAILED", "transfer-account-closed"]);
    expect(await fixture.db.$count(transfer)).toBe(0);
    await expect(order(kind, { amount: "901,00" })).rejects.toMatchObject(refusing("transfer-account-closed"));
    expect(fixture.sent.sent).toBe(0);
  });
});

it("pays no account that was closed while the request waited", async () => {
  await rule("always");
  const { id } = await order("a transfer between accounts");
  await close(1);
  await authorise(id);
  expect(await endOf(id)).toEqual(["FAILED", "transfer-account-closed"]);
  expect(fixture.sent.sent).toBe(0);
});

it("reads the account's status at the provider before it sends a waiting request", async () => {
  await rule("always");
  const { id } = await order("a TED", { from: payers[1] ?? "" });
  const [, { accountId }] = fixture.parties;
  const body = { account: accountId, userId: "user-1", reason: "A pedido", userAccessToken: "token", code: "918273" };
  expect(await fixture.service.send("POST", "/v1/bank-accounts/closeAccount", { body })).toMatchObject({ status: 200 });
  await authorise(id);
  expect(await endOf(id)).toEqual(["FAILED", "transfer-account-closed"]);
  expect(fixture.sent.sent).toBe(0);
});
