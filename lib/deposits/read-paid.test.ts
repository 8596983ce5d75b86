import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { CheckoutAddress, WalletCreated } from "@/lib/contract/crypto";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { deposit } from "@/lib/db/tables/deposits";
import { chainMovement, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { remember } from "@/lib/db/watch-state";
import { AppError } from "@/lib/errors/app-error";
import { sweepOnce } from "@/lib/watch/watch";
import { walletWatch } from "@/lib/wallets/watch";
import { takeDelivery } from "@/lib/webhooks/intake";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { nameAddress } from "@/test/support/deposits";
import type { Harness } from "@/test/support/service/harness";
import { ETHEREUM_USDT } from "@/test/support/service/crypto";
import { asDocumented } from "@/test/support/wallets";
import { deliveryOf, givenIntake } from "@/test/support/webhooks";
import { expectOne } from "./expect";
import { ExpectOrder } from "./inputs";
import { askPaid } from "./read-paid";

let db: Db;
let service: Harness;
let asked: URL[];
/** Replaces the service's histories. */
let history: ((url: URL) => readonly object[] | Response) | null;

beforeEach(async () => {
  givenEnv();
  asked = [];
  history = null;
  db = await givenStore();
  service = await givenService(
    (request) => asked.push(new URL(request.url)),
    (serve) => async (request) => {
      const url = new URL(request.url);
      if (history === null || !url.pathname.endsWith("/history")) return asDocumented(request, await serve(request));
      const told = history(url);
      return told instanceof Response ? told : Response.json({ message: "", data: told });
    },
  );
});

async function checkout(reference: string | null = "PEDIDO-1") {
  const { body } = await service.send("POST", "/v1/crypto/checkout/address", { body: { network: "EVM", reference } });
  const { address } = CheckoutAddress.parse(body).data;
  if (reference !== null) await nameAddress(db, address, reference);
  await sweepOnce(walletWatch, "aurora");
  return address;
}

async function ask(text: string, role: "support" | "finance" = "support") {
  const before = asked.length;
  const answer = await askPaid(actorOf(role, await givenStaff(db, role), "deposits:ask"), { text });
  const calls = asked.slice(before).filter(({ pathname }) => !pathname.includes("authentication")).length;
  expect(calls).toBe(answer.calls);
  expect(calls).toBeLessThanOrEqual(12);
  return answer;
}

async function expecting(changes: Partial<Record<"amount" | "asset" | "network", string>> = {}) {
  const order = { reference: "PEDIDO-1", amount: "10", asset: "", network: "", due: "", ...changes };
  await expectOne(actorOf("finance", await givenStaff(db, "finance"), "wallets:label"), ExpectOrder.parse(order));
}

const arrive = (address: string, amount: string, tokenAddress?: string, network = "ETHEREUM") =>
  service.control("POST", "/sandbox/crypto/deposits", {
    network,
    address,
    amount,
    ...(tokenAddress !== undefined && { tokenAddress }),
  });

const sayOnce = (payload: object) =>
  takeDelivery(givenIntake(db).deps, "aurora", deliveryOf(payload, { event: "crypto-cash-in", id: randomUUID() }));

const HASH = `0x${"ab".repeat(32)}`;

const entryOf = (address: string, changes: object = {}) => ({
  chain: "ETHEREUM",
  hash: HASH,
  address,
  blockNumber: 9,
  amount: "10",
  transactionSubtype: "incoming",
  counterAddress: `0x${"77".repeat(20)}`,
  timestamp: Date.now() - 60_000,
  ...changes,
});

const tellsAt =
  (address: string, entry: object, network = "ETHEREUM") =>
  (url: URL) => {
    const isIts = url.pathname.includes(address) && url.searchParams.get("network") === network;
    return isIts && url.searchParams.get("page") === "0" && !url.searchParams.has("tokenAddress") ? [entry] : [];
  };

const SAYS_UNSEEN = ["not-seen", "not-seen-in-part"];

const silent = () => Response.json({ message: "down" }, { status: 503 });

describe("a payment that arrived", () => {
  it("is found by its reference, address and hash in any spelling, with its notice", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address));
    await sayOnce({ address, network: "ETHEREUM", amount: "10", txHash: HASH });
    const spellings = [
      "PEDIDO-1",
      "pedido-1",
      address.toUpperCase().replace("0X", "0x"),
      `ethereum:${address}`,
      HASH,
      `\u200b${HASH.slice(2).toUpperCase()} `,
      `https://etherscan.io/tx/${HASH}`,
    ];
    for (const text of spellings) {
      const answer = await ask(text);
      expect(answer).toMatchObject({
        verdict: "paid",
        isFromBefore: false,
        facts: { amount: "10", hash: HASH, cause: "unexpected" },
      });
      expect(answer.deposits).toMatchObject([{ row: { reference: "PEDIDO-1" }, href: null }]);
    }
    expect(await db.$count(deposit)).toBe(1);
    expect((await ask("PEDIDO-1", "finance")).deposits[0]?.href).toMatch(/^\/deposits\//);
  });

  it("is told apart from a hash that was pasted with its reference and is nowhere", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address));
    await sayOnce({ address, network: "ETHEREUM", amount: "10", txHash: HASH });
    const other = `0x${"c0ffee12".repeat(8)}`;
    expect(await ask(`PEDIDO-1 hash ${other}`)).toMatchObject({ verdict: "paid", unfound: [other] });
    expect(await ask(`PEDIDO-1 hash ${HASH}`)).toMatchObject({ verdict: "paid", unfound: [] });
    expect(await ask(other)).toMatchObject({ verdict: "hash-nowhere", unfound: [] });
  });

  it("is told from one whose notice did not come", async () => {
    const address = await checkout();
    await arrive(address, "10", ETHEREUM_USDT);
    const answer = await ask("PEDIDO-1");
    expect(["no-event", "swept"]).toContain(answer.verdict);
    expect(answer.facts).toMatchObject({ amount: "10", network: "ETHEREUM" });
    expect(answer.deposits[0]?.eventAt).toBeNull();
  });

  it("is unconfirmed without a block, and dropped once its network shows it no more", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address, { blockNumber: 0, timestamp: null }));
    expect(await ask(HASH)).toMatchObject({ verdict: "unconfirmed", facts: { amount: "10" } });
    history = () => [];
    expect(await ask(HASH)).toMatchObject({ verdict: "dropped" });
  });

  it("is reported by its notice alone until the network shows it", async () => {
    const address = await checkout();
    history = () => [];
    await sayOnce({ address, network: "ETHEREUM", amount: "10", txHash: HASH });
    expect(await ask(HASH)).toMatchObject({ verdict: "told", facts: { amount: "10" } });
  });

  it("is compared with what is still expected of its reference", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address, { amount: "9.5", timestamp: Date.now() + 60_000 }));
    await expecting();
    expect(await ask("PEDIDO-1")).toMatchObject({ verdict: "short", facts: { difference: "0.50" } });
    await expecting({ amount: "9.5", network: "BSC" });
    expect(await ask("PEDIDO-1")).toMatchObject({
      verdict: "other-network",
      facts: { network: "ETHEREUM", expected: { network: "BSC" } },
    });
  });

  it("is not measured by an amount that was typed after it arrived", async () => {
    const address = await checkout();
    const older = `0x${"12".repeat(32)}`;
    const atAddress = (url: URL) => {
      const [first] = tellsAt(address, entryOf(address, { asset: "ETH" }))(url);
      return first === undefined ? [] : [first, entryOf(address, { hash: older, amount: "2.5", asset: "ETH" })];
    };
    history = atAddress;
    await ask("PEDIDO-1");
    await expecting({ amount: "4", asset: "ETH" });
    const sums = [{ amount: "12.50", asset: "ETH", network: null }];
    const tally = { reference: "PEDIDO-1", count: 2, isPart: false, sums, expected: [] };
    const left = await ask("PEDIDO-1");
    expect(SAYS_UNSEEN).toContain(left.verdict);
    expect(left).toMatchObject({ facts: { amount: null, expected: { amount: "4" } }, tally, isHandler: false });
    await expecting({ amount: "7", asset: "ETH" });
    const expected = [
      { amount: "4", asset: "ETH" },
      { amount: "7", asset: "ETH" },
    ];
    const both = await ask(address, "finance");
    expect(both.tally?.expected.toSorted((one, other) => (one.amount < other.amount ? -1 : 1))).toEqual(expected);
    expect(both).toMatchObject({ tally: { reference: null, count: 2 }, isHandler: true });
    expect(await ask(older)).toMatchObject({ verdict: "no-event", tally: null });
  });

  it("is at another reference's address", async () => {
    await checkout("PEDIDO-2");
    const address = await checkout();
    history = tellsAt(address, entryOf(address));
    await ask(address);
    expect(await ask(`paguei o PEDIDO-2, ${HASH}`)).toMatchObject({
      verdict: "other-reference",
      facts: { reference: "PEDIDO-1" },
    });
  });

  it("is at a wallet that is no checkout address, or left one", async () => {
    const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } });
    const { walletId, address } = WalletCreated.parse(body).data;
    await sweepOnce(walletWatch, "aurora");
    const label = { tenant: "aurora", walletId, use: "own" as const, label: null, setBy: randomUUID() };
    await db.insert(walletLabel).values({ ...label, setAt: new Date() });
    history = tellsAt(address, entryOf(address));
    expect(await ask(HASH)).toMatchObject({ verdict: "own-wallet", facts: { amount: "10" } });
    expect(await ask(address)).toMatchObject({ verdict: "own-wallet" });
    history = () => [];
    expect(await ask(HASH)).toMatchObject({ verdict: "dropped", facts: { amount: "10" } });
    const other = `0x${"cd".repeat(32)}`;
    history = tellsAt(address, entryOf(address, { hash: other, transactionSubtype: "outgoing" }));
    expect(await ask(other)).toMatchObject({ verdict: "left" });
  });
});

describe("nothing found", () => {
  it("is not seen only where each known network and token was read", async () => {
    const address = await checkout();
    history = () => [];
    const answer = await ask(address);
    expect(answer).toMatchObject({ verdict: "not-seen", moreUnread: 0 });
    expect(answer.reads.map(({ network, state }) => `${network} ${state}`).toSorted()).toEqual([
      "BSC read",
      "ETHEREUM read",
      "POLYGON read",
    ]);
    history = (url) => (url.searchParams.get("network") === "BSC" ? silent() : []);
    const part = await ask(address);
    expect(part.verdict).toBe("not-seen-in-part");
    const unread = part.reads.find(({ network }) => network === "BSC");
    expect(unread).toMatchObject({ state: "silent" });
    expect(unread?.asOf).not.toBeNull();
    history = silent;
    expect(await ask(address)).toMatchObject({ verdict: "unread" });
  });

  it("says what was known before when nothing can be read now", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address));
    await ask(address);
    history = () => Response.json({ message: "wait" }, { status: 429, headers: { "retry-after": "900" } });
    const answer = await ask(address);
    expect(answer).toMatchObject({ verdict: "no-event", isFromBefore: true });
    expect(answer.reads.every(({ state, until }) => state === "put-off" && until !== null)).toBe(true);
  });

  it("lives with pages that shift meanwhile, and leaves the rest to the watch", async () => {
    const address = await checkout();
    const all = Array.from({ length: 400 }, (_, nth) =>
      entryOf(address, {
        hash: `0x${String(nth).padStart(64, "0")}`,
        amount: `${nth + 1}`,
        timestamp: Date.now() - (nth + 1) * 60_000,
      }),
    );
    let toCome = 8;
    history = (url) => {
      if (url.searchParams.get("network") !== "ETHEREUM") return [];
      toCome = Math.max(0, toCome - 1);
      const from = toCome + Number(url.searchParams.get("page")) * 50;
      return all.slice(from, from + 50);
    };
    const answer = await ask(address);
    expect(answer).toMatchObject({ verdict: "no-event", facts: { network: "ETHEREUM" } });
    expect(answer.calls).toBeGreaterThan(3);
    expect(answer.reads.find(({ network }) => network === "ETHEREUM")?.state).toBe("part");
    const hashes = (await db.select().from(chainMovement)).map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("leaves out what is beyond twelve calls, and names it", async () => {
    const address = await checkout();
    const tokens = ["a", "b", "c", "d", "e"].map((name) => `0x${name.repeat(40)}`);
    const [one] = await db.select().from(wallet);
    for (const network of ["ETHEREUM", "POLYGON", "BSC"] as const) {
      const entries = tokens.map((tokenAddress, nth) => ({
        address,
        asset: `T${nth}`,
        decimals: 6,
        balance: "0",
        type: "token",
        tokenAddress,
      }));
      const row = { tenant: "aurora", walletId: one?.id ?? "", network, entries, asOf: new Date() };
      await db.delete(walletBalance).where(and(eq(walletBalance.network, network)));
      await db.insert(walletBalance).values(row);
    }
    await expecting({ asset: "T4" });
    history = () => [];
    const answer = await ask("PEDIDO-1");
    expect([answer.calls, answer.verdict]).toEqual([12, "not-seen-in-part"]);
    expect(answer.facts.expected).toMatchObject({ amount: "10" });
    const leftOut = answer.reads.filter(({ state }) => state === "left-out");
    expect(leftOut).toHaveLength(6);
    expect(leftOut.some(({ asset }) => asset === "T4")).toBe(false);
  });

  it("says of an address that it is not ours only with the whole list of wallets", async () => {
    const foreign = `0x${"12".repeat(20)}`;
    expect(await ask(foreign)).toMatchObject({ verdict: "unread", reads: [{ state: "unlisted" }] });
    await sweepOnce(walletWatch, "aurora");
    expect(await ask(foreign)).toMatchObject({ verdict: "not-ours", calls: 0 });
    expect(await ask("PEDIDO-404")).toMatchObject({ verdict: "unknown", calls: 0 });
    await expecting();
    expect(await ask("PEDIDO-1")).toMatchObject({ verdict: "no-address", facts: { expected: { amount: "10" } } });
  });

  it("reads where coins are swept to and where something is open, for a hash alone", async () => {
    const address = await checkout();
    await expecting();
    history = tellsAt(address, entryOf(address));
    expect(await ask(HASH)).toMatchObject({ verdict: "no-event", facts: { hash: HASH, reference: "PEDIDO-1" } });
    expect(await ask(`0x${"ef".repeat(32)}`)).toMatchObject({ verdict: "hash-nowhere" });
  });
});

it("says that what arrived was sent by a wallet listed here", async () => {
  const address = await checkout();
  history = tellsAt(address, entryOf(address));
  expect((await ask(HASH)).isFromOwn).toBe(false);
  const { address: payer } = await service
    .send("POST", "/v1/crypto/wallets", { body: { network: "EVM" } })
    .then(({ body }) => WalletCreated.parse(body).data);
  await sweepOnce(walletWatch, "aurora");
  await db.delete(chainMovement);
  history = tellsAt(address, entryOf(address, { counterAddress: payer }));
  expect(await ask(HASH)).toMatchObject({ verdict: "no-event", isFromOwn: true });
});

it("reads a wallet that was never read, for a hash alone", async () => {
  const address = await checkout();
  history = tellsAt(address, entryOf(address));
  expect(await ask(HASH)).toMatchObject({ verdict: "no-event", facts: { hash: HASH } });
});

it("asks the network of an explorer's link alone, for a hash", async () => {
  await checkout();
  history = () => [];
  const { reads } = await ask(HASH);
  expect(new Set(reads.map(({ network }) => network))).toEqual(new Set(["BSC", "ETHEREUM", "POLYGON"]));
  const linked = await ask(`https://polygonscan.com/tx/${HASH}`);
  expect(linked.verdict).toBe("hash-nowhere");
  expect(new Set(linked.reads.map(({ network }) => network))).toEqual(new Set(["POLYGON"]));
});

it("asks the network of an explorer's link first, for an address", async () => {
  const address = await checkout();
  history = () => [];
  const { reads } = await ask(`https://bscscan.com/address/${address}`);
  expect(reads).toHaveLength(3);
  expect(reads[0]).toMatchObject({ network: "BSC" });
});

describe("a question", () => {
  it("is on record with its answer, and nothing is read while it cannot be", async () => {
    const address = await checkout();
    history = () => [];
    await ask(address);
    const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "deposits.ask"));
    expect(rows.map(({ outcome, detail }) => ({ outcome, detail }))).toEqual([
      { outcome: "INTENT", detail: { asked: "address", txHash: null } },
      { outcome: "DONE", detail: { verdict: "not-seen", calls: 3 } },
    ]);
    expect(JSON.stringify(rows)).not.toContain("PEDIDO-1");
  });

  it("is answered alike for ten who ask at once, and is kept once", async () => {
    const address = await checkout();
    history = tellsAt(address, entryOf(address));
    const people = [await givenStaff(db, "support"), await givenStaff(db, "finance")];
    const texts = ["PEDIDO-1", address, HASH, `https://etherscan.io/tx/${HASH}`, `ethereum:${address}`];
    const askers = people.map((id, nth) => actorOf(nth === 0 ? "support" : "finance", id, "deposits:ask"));
    const answers = await Promise.all(askers.flatMap((asker) => texts.map((text) => askPaid(asker, { text }))));
    for (const { verdict, facts } of answers) {
      expect(verdict).toBe("no-event");
      expect(facts).toMatchObject({ amount: "10", hash: HASH });
    }
    expect(await db.$count(deposit)).toBe(1);
    expect(await db.$count(chainMovement)).toBe(1);
    const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "deposits.ask"));
    expect(rows.filter(({ outcome }) => outcome === "DONE")).toHaveLength(10);
    expect(rows).toHaveLength(20);
  });

  it("keeps within a person's share of the calls", async () => {
    const address = await checkout();
    history = () => {
      throw new AppError("rate-limited", { code: "budget-spent", retryAfterMs: 30_000 });
    };
    const answer = await ask(address);
    expect(answer.verdict).toBe("unread");
    expect(answer.reads).toMatchObject(Array.from({ length: 3 }, () => ({ state: "put-off" })));
  });

  it("looks at a list of wallets that is not read to its end as such", async () => {
    await sweepOnce(walletWatch, "aurora");
    const walk = { offset: 0, had: [], end: "empty", unread: [{ hash: "h", shape: { fields: [], more: 0 } }] };
    await remember(db, { tenant: "aurora", name: "wallets" }, { ...walk, walkedAt: new Date().toISOString() });
    expect((await ask(`0x${"12".repeat(20)}`)).verdict).toBe("unread");
  });
});
