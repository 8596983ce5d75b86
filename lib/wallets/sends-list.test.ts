import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { refuseRequest } from "@/lib/approvals/decide";
import { withdraw } from "@/lib/approvals/withdraw";
import { getSession } from "@/lib/auth/session";
import { approval } from "@/lib/db/tables/approvals";
import { auditEvent } from "@/lib/db/tables/audit";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { cryptoOrder, walletLabel } from "@/lib/db/tables/wallets";
import { NEVER_ARRIVED } from "@/lib/provider/intents/intent-record";
import { sessionOf } from "@/test/support/auth";
import { givenCoins, order, TO } from "@/test/support/coins";
import { actorOf, givenEnv } from "@/test/support/console";
import { STRANGERS } from "@/test/support/service/crypto";
import { exportSends, listSends } from "./queries";
import { orderCoins } from "./send-coins";
import { listOlderOrders, storeSentOrder } from "./sent-order";
import { SEND_STATES, type SendState } from "./sends-view";

let coins: Awaited<ReturnType<typeof givenCoins>>;
let walletId = "";
let address = "";

beforeEach(async () => {
  coins = await givenCoins();
  ({ walletId, address } = await coins.givenWallet({ amount: "2000" }));
  read();
});

const read = (tenant = "aurora") =>
  vi.mocked(getSession).mockResolvedValue(sessionOf({ tenant, staffId: coins.makerId, roles: ["finance", "auditor"] }));

const reader = () => actorOf("finance", coins.makerId, "approvals:read");

/** Another amount each, so that none is like another. */
async function bring(state: SendState, amount: string): Promise<string> {
  const given = order(walletId, { amount });
  const { intentId } = given;
  if (state === "UNKNOWN") coins.lost.answers = 1;
  const approvalId = await coins.propose(given);
  const isIt = eq(providerIntent.id, intentId);
  if (state === "WAITING") return intentId;
  if (state === "REJECTED") await refuseRequest(coins.approver, { approvalId, reason: "Endereço não confere." });
  else if (state === "NOT_SENT") await withdraw(reader(), { approvalId });
  else await coins.authorise(approvalId);
  if (state === "SENDING") await coins.db.update(providerIntent).set({ state: "SENDING" }).where(isIt);
  if (state === "UNKNOWN")
    await coins.db.update(cryptoOrder).set({ txHash: null }).where(eq(cryptoOrder.intentId, intentId));
  return intentId;
}

const AMOUNTS: Readonly<Record<SendState, string>> = {
  WAITING: "1",
  SENDING: "2",
  HELD: "400",
  UNKNOWN: "3",
  DONE: "0,000000000000000004",
  BLOCKED: "1000",
  REFUSED: "5000",
  REJECTED: "5",
  NOT_SENT: "6",
};

const bringAll = async () => {
  const ids: Partial<Record<SendState, string>> = {};
  for (const state of SEND_STATES) ids[state] = await bring(state, AMOUNTS[state]);
  return ids;
};

const found = async (filter: Parameters<typeof listSends>[0]) => (await listSends(filter)).rows.map(({ id }) => id);

describe("the list of sends", () => {
  it("shows a send in each state, the newest first", async () => {
    const ids = await bringAll();
    const page = await listSends();
    expect(page.rows.map(({ id, state }) => [id, state])).toEqual(
      SEND_STATES.toReversed().map((state) => [ids[state], state]),
    );
    expect(page.rows[0]).toMatchObject({
      cause: "withdrawn",
      from: { walletId, address },
      order: { network: "ETHEREUM", to: TO, amount: "6", asset: "ETH" },
      isMine: true,
      hash: null,
    });
    expect(page.counts).toEqual({ all: 9, waiting: 1, open: 3, done: 1, apart: 4 });
  });

  it("adds up what left and what may leave, and leaves out what did not", async () => {
    await bringAll();
    const { sums } = await listSends();
    expect(sums).toEqual({
      rows: [
        {
          network: "ETHEREUM",
          asset: "ETH",
          token: null,
          done: "0.000000000000000004",
          open: "406.00",
          apart: "6011.00",
        },
      ],
      apart: 4,
      unread: 0,
    });
    expect((await listSends({ view: "done" })).sums).toMatchObject({ rows: [{ open: "0.00" }], apart: 0 });
  });

  it("finds sends by state, wallet, network, asset, period, address and hash", async () => {
    const ids = await bringAll();
    expect(await found({ state: "HELD" })).toEqual([ids.HELD]);
    expect(await found({ wallet: "another" })).toEqual([]);
    expect(await found({ wallet: walletId })).toHaveLength(9);
    expect(await found({ network: "POLYGON" })).toEqual([]);
    expect(await found({ asset: "eth" })).toHaveLength(9);
    expect(await found({ from: "2020-01-01", to: "2020-01-31" })).toEqual([]);
    expect(await found({ period: "1" })).toHaveLength(9);
    for (const search of [TO, TO.toLowerCase(), TO.replace("0x", ""), `ethereum:${TO}`])
      expect(await found({ search })).toHaveLength(9);
    expect(await found({ search: STRANGERS.TRON })).toEqual([]);
    const hash = (await listSends({ state: "DONE" })).rows[0]?.hash?.txHash ?? "";
    for (const search of [hash, hash.toUpperCase().replace("0X", "0x"), hash.replace("0x", "")])
      expect(await found({ search })).toEqual([ids.DONE]);
  });

  it("finds sends by who ordered them, and sums those alone", async () => {
    await bring("DONE", "2");
    const [mine] = await found({ who: "me" });
    expect(await found({ who: coins.makerId })).toEqual([mine]);
    expect(await found({ who: coins.approver.id })).toEqual([]);
    expect(await listSends({ who: coins.approver.id })).toMatchObject({ counts: { all: 0 }, sums: { rows: [] } });
    expect((await listSends()).people.map(({ id }) => id)).toEqual([coins.makerId]);
  });

  it("names the wallet here that is paid, with its label", async () => {
    const ours = await coins.givenWallet();
    const set = { setBy: coins.makerId, setAt: new Date(), use: null };
    await coins.db.insert(walletLabel).values({ tenant: "aurora", walletId: ours.walletId, label: "Reserva", ...set });
    await coins.propose(order(walletId, { to: ours.address }));
    expect((await listSends()).rows[0]?.to).toMatchObject({ walletId: ours.walletId, label: "Reserva" });
  });

  it("leads to a public explorer in production alone", async () => {
    await bring("DONE", "2");
    expect((await listSends()).rows[0]?.hash?.link).toBeNull();
    givenEnv({
      tenants: [{ clientId: "aurora", name: "Aurora", environment: "PRODUCTION", baseUrl: "https://bank.example" }],
    });
    expect((await listSends()).rows[0]?.hash?.link?.host).toBe("etherscan.io");
  });

  it("shows nothing of another tenant's", async () => {
    await bring("WAITING", "1");
    read("boreal");
    expect(await listSends()).toMatchObject({
      rows: [],
      counts: { all: 0 },
      people: [],
      wallets: [],
      networks: [],
      assets: [],
    });
  });
});

async function givenMany(count: number): Promise<void> {
  const at = Date.now();
  const coin = { to: TO, network: "ETHEREUM", fromAddress: address } as const;
  for (let nth = 0; nth < count; nth += 1) {
    const intentId = randomUUID();
    const key = { tenant: "aurora", intentId };
    await coins.db.insert(intentClaim).values({
      tenant: "aurora",
      id: intentId,
      kind: "/v1/crypto/transfer",
      actor: coins.makerId,
      bodyHash: "none",
      isProposed: true,
      createdAt: new Date(at),
    });
    await coins.db.transaction((tx) =>
      storeSentOrder(tx, key, { walletId, order: { ...coin, amount: `1.${nth + 1_001}` }, asset: "ETH" }),
    );
    // Several in one moment.
    const orderedAt = new Date(at - Math.floor(nth / 3) * 1_000);
    await coins.db.update(cryptoOrder).set({ orderedAt }).where(eq(cryptoOrder.intentId, intentId));
  }
}

describe("its pages", () => {
  it("lead through all sends once, down and up again, with several in one moment", async () => {
    await givenMany(60);
    const seen: string[] = [];
    let page = await listSends();
    expect(page.newer).toBeNull();
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id));
      if (page.older === null) break;
      page = await listSends({ before: page.older });
    }
    expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
    const up = await listSends({ after: page.newer ?? "" });
    expect(up.rows.map(({ id }) => id)).toEqual(seen.slice(25, 50));
  });

  it("are one file, with its sums in the last lines, and on record", async () => {
    await bringAll();
    await givenMany(3);
    const { parts, fileName } = await exportSends({ view: "all" });
    let file = "";
    for await (const part of parts) file += part;
    const lines = file.trim().split("\r\n");
    expect(lines).toHaveLength(1 + 12 + 2);
    expect(fileName).toMatch(/\.csv$/);
    expect(lines.at(-1)).toContain("7 transfers blocked, refused");
    const isExport = and(eq(auditEvent.code, "coins.export"), eq(auditEvent.outcome, "DONE"));
    expect(await coins.db.$count(auditEvent, isExport)).toBe(1);
  });
});

describe("the stored state of a send", () => {
  it("tells in its file what the provider said of a refused one", async () => {
    await bring("REFUSED", AMOUNTS.REFUSED);
    const { parts } = await exportSends({});
    let file = "";
    for await (const part of parts) file += part;
    expect(file).toMatch(/Refused.*Insufficient balance/);
  });

  it("tells in its file why somebody rejected one", async () => {
    await bring("REJECTED", AMOUNTS.REJECTED);
    const { parts } = await exportSends({});
    let file = "";
    for await (const part of parts) file += part;
    expect(file).toMatch(/Rejected.*Endereço não confere\./);
  });

  it("is dated when it was asked for, also once somebody authorised it", async () => {
    const approvalId = await coins.propose(order(walletId, { amount: "1" }));
    const orderedAt = new Date(Date.now() - 600_000);
    await coins.db.update(cryptoOrder).set({ orderedAt });
    await coins.authorise(approvalId);
    const { rows } = await listSends();
    expect(rows).toMatchObject([{ state: "DONE", at: orderedAt.toISOString() }]);
  });

  it("follows its intent, by every code that never arrived", async () => {
    const id = await bring("REFUSED", "5000");
    const say = async (told: Partial<typeof providerIntent.$inferInsert>) => {
      await coins.db.update(providerIntent).set(told).where(eq(providerIntent.id, id));
      return (await listSends()).rows[0]?.state;
    };
    for (const code of NEVER_ARRIVED) expect([code, await say({ code })]).toEqual([code, "NOT_SENT"]);
    expect(await say({ code: "insufficient-balance" })).toBe("REFUSED");
    expect(await say({ code: "TRANSACTION_BLOCKED" })).toBe("BLOCKED");
    expect(await say({ attempts: 0 })).toBe("NOT_SENT");
    expect(await say({ state: "DONE", attempts: 1 })).toBe("DONE");
    expect(await say({ contradictedAt: new Date() })).toBe("UNKNOWN");
  });

  it("is that of an order stored after its intent", async () => {
    const id = await bring("DONE", "2");
    const [stored] = await coins.db.delete(cryptoOrder).where(eq(cryptoOrder.intentId, id)).returning();
    if (stored === undefined) throw new Error("there is no order");
    const { state, value: _value, ...row } = stored;
    await coins.db.insert(cryptoOrder).values(row);
    expect([state, (await listSends()).rows[0]?.state]).toEqual(["DONE", "DONE"]);
  });
});

describe("an order stored before lists filtered by it", () => {
  it("is filtered and added up once it was read again", async () => {
    const id = await bring("DONE", "2");
    const before = { walletId: null, network: null, asset: null, token: null, amount: null, destinationHash: null };
    await coins.db.update(cryptoOrder).set(before);
    expect((await listSends()).sums).toMatchObject({ rows: [], unread: 1 });
    await listOlderOrders(coins.db, "aurora");
    const { rows, sums } = await listSends({ search: TO, wallet: walletId });
    expect(rows.map((row) => row.id)).toEqual([id]);
    expect(sums).toMatchObject({ rows: [{ network: "ETHEREUM", asset: "ETH", done: "2.00" }], unread: 0 });
  });

  it("is told as unreadable, and no part of a sum, where it does not open", async () => {
    await bring("DONE", "2");
    await coins.db.update(cryptoOrder).set({ orderSealed: "v2.nothing", walletId: null, amount: null, network: null });
    await listOlderOrders(coins.db, "aurora");
    expect(await listSends({ wallet: walletId })).toMatchObject({
      rows: [{ order: null, to: null }],
      sums: { rows: [], unread: 1 },
    });
  });
});

it("is refused where the provider refused what one person sent alone", async () => {
  await coins.givenAlone();
  const given = order(walletId, { amount: "5000" });
  await orderCoins(coins.maker(), given).catch(() => null);
  expect((await listSends()).rows.map(({ state }) => state)).toEqual(["REFUSED"]);
  expect(await coins.db.$count(approval)).toBe(0);
});
