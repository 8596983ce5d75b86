import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors/app-error";
import type { Provider } from "@/lib/provider/client";
import { otherProvider } from "@/test/other-provider";
import { WalletCreated } from "@/lib/contract/crypto";
import { wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import { recall, remember, freshness } from "@/lib/db/watch-state";
import { liveEvent } from "@/lib/db/tables/live";
import { watchActor } from "@/lib/permission/grant";
import { sweepOnce } from "@/lib/watch/watch";
import type { Harness } from "@/test/support/service/harness";
import { refreshBalance } from "./records";
import { WalletWalk } from "./inputs";
import { balancesDue, walletWatch } from "./watch";

let db: Db;
let service: Harness;

/** Replaces the service's answer. */
let instead: (request: Request) => Response | Promise<Response> | null = () => null;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  instead = () => null;
  service = await givenService(
    () => {},
    (serve) => (request) => instead(request) ?? serve(request),
  );
});

async function open(network: string, userId?: string) {
  const { body } = await service.send("POST", "/v1/crypto/wallets", { body: { network, userId } });
  return WalletCreated.parse(body).data;
}

const balanceOf = async (walletId: string) =>
  (await db.select().from(walletBalance).where(eq(walletBalance.walletId, walletId))).map(({ network, entries }) => ({
    network,
    native: entries.flatMap((one) => ("balance" in one && one.type === "native" ? [one.balance] : []))[0],
  }));

type Waiting = { path: string; length: number; isPatient: boolean };

/** How many reads of the same kind are in progress each time one starts. */
function givenObservedLine(): readonly Waiting[] {
  const client = globalThis.retaguardaBanks?.get("aurora");
  if (client === undefined) throw new Error("there is no bank yet");
  const waiting: Waiting[] = [];
  let underWay = 0;
  const get: Provider["get"] = async (...asked) => {
    const [, { path }, given] = asked;
    underWay += 1;
    waiting.push({ path, length: underWay, isPatient: given?.isPatient ?? false });
    try {
      return await client.get(...asked);
    } finally {
      underWay -= 1;
    }
  };
  globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
  return waiting;
}

const wrong = {
  clientId: "aurora",
  network: "MOON",
  address: "x",
  coin: "x",
  status: "ACTIVE",
  isForwardPayment: 0,
  createdAt: "no time at all",
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const ofAurora = {
  tenant: "aurora",
  address: "x",
  coin: "x",
  status: "ACTIVE",
  isForwardPayment: false,
  createdAt: new Date(0),
  seenAt: new Date(0),
};

const refusal = () => Response.json({ message: "not now" }, { status: 422 });

const walkOf = async () => WalletWalk.parse(await recall(db, { tenant: "aurora", name: "wallets" }));

describe("the wallet watch", () => {
  it("keeps every wallet and reads one EVM address on its three networks", async () => {
    const { walletId, address } = await open("EVM");
    await service.control("POST", "/sandbox/crypto/deposits", { network: "POLYGON", address, amount: "1.5" });
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(wallet)).toMatchObject([{ id: walletId, family: "EVM", address }]);
    const read = await balanceOf(walletId);
    expect(read.map(({ network }) => network).toSorted()).toEqual(["BSC", "ETHEREUM", "POLYGON"]);
    expect(read.find(({ network }) => network === "POLYGON")?.native).toMatch(/^1\.50*$/);
  });

  it("keeps a wallet's user when the provider names one", async () => {
    const mine = await open("EVM", "usr-1042");
    const own = await open("BTC");
    await sweepOnce(walletWatch, "aurora");
    const kept = new Map((await db.select().from(wallet)).map(({ id, userId }) => [id, userId]));
    expect([kept.get(mine.walletId), kept.get(own.walletId)]).toEqual(["usr-1042", null]);
  });

  it("keeps every wallet when one has no creation time", async () => {
    const { walletId } = await open("EVM");
    const client = globalThis.retaguardaBanks?.get("aurora");
    if (client === undefined) throw new Error("there is no bank yet");
    const get: Provider["get"] = async (...asked) => {
      const answered = await client.get(...asked);
      const [, operation] = asked;
      if (operation.path !== "/v1/crypto/wallets") return answered;
      const json = {
        message: "",
        data: [
          { ...wrong, id: walletId },
          { ...wrong, id: "another" },
        ],
      };
      return { ...answered, answer: operation.answer.parse(json) };
    };
    globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
    await sweepOnce(walletWatch, "aurora");
    expect((await db.select().from(wallet)).map(({ id }) => id).toSorted()).toEqual([walletId, "another"].toSorted());
  });

  it("keeps every wallet when pages are smaller than requested", async () => {
    instead = otherProvider((request) => service.app.request(request), { wallets: { pageSize: 2 } });
    for (const family of ["EVM", "BTC", "TRON", "SOLANA", "XRPL"]) await open(family);
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(wallet)).toHaveLength(5);
    expect(await walkOf()).toMatchObject({ offset: 0, had: [], end: "empty", unread: [], length: 5 });
  });

  it("resumes the list in the next sweep, and calls it whole only at its end", async () => {
    const ids = Array.from({ length: 60 }, (_, n) => `w-${n}`);
    instead = (request) => {
      const url = new URL(request.url);
      if (url.pathname !== "/v1/crypto/wallets") return null;
      const offset = Number(url.searchParams.get("offset"));
      return Response.json({ message: "", data: ids.slice(offset, offset + 1).map((id) => ({ ...wrong, id })) });
    };
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(wallet)).toHaveLength(50);
    expect(await walkOf()).toMatchObject({ offset: 50, end: null });
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(wallet)).toHaveLength(60);
    expect(await walkOf()).toMatchObject({ offset: 0, end: "empty" });
  });

  it("stops at a repeated page without calling the list complete", async () => {
    let calls = 0;
    instead = (request) => {
      if (new URL(request.url).pathname !== "/v1/crypto/wallets") return null;
      calls += 1;
      return Response.json({ message: "", data: [{ ...wrong, id: "a" }, { ...wrong, id: "b" }, "what is this?"] });
    };
    await sweepOnce(walletWatch, "aurora");
    expect((await db.select().from(wallet)).map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
    expect([calls, await walkOf()]).toMatchObject([2, { end: "repeated" }]);
  });

  it("remembers each unreadable wallet once, until it leaves the list", async () => {
    let nameless: unknown[] = [{ rede: "EVM", endereco: "0xabc", apelido: "Cofre" }, "what is this?"];
    instead = (request) => {
      const url = new URL(request.url);
      if (url.pathname !== "/v1/crypto/wallets") return null;
      const data = Number(url.searchParams.get("offset")) > 0 ? [] : [{ ...wrong, id: "a" }, ...nameless];
      return Response.json({ message: "", data });
    };
    await sweepOnce(walletWatch, "aurora");
    await sweepOnce(walletWatch, "aurora");
    const shown = (await walkOf()).unread.map(({ shape }) => shape.fields.map(({ path, value }) => `${path}=${value}`));
    expect(shown).toEqual([["rede=EVM", "endereco=•••", "apelido=Cofre"], ["=what is this?"]]);
    nameless = [];
    await sweepOnce(walletWatch, "aurora");
    expect((await walkOf()).unread).toEqual([]);
  });

  it("knows whether a wallet forwards only when the provider says so", async () => {
    const { isForwardPayment: _, ...untold } = wrong;
    instead = (request) => {
      const url = new URL(request.url);
      if (url.pathname !== "/v1/crypto/wallets") return null;
      const told = [
        { ...wrong, id: "master" },
        { ...wrong, id: "forward", isForwardPayment: 1 },
      ];
      const data = Number(url.searchParams.get("offset")) > 0 ? [] : [...told, { ...untold, id: "untold" }];
      return Response.json({ message: "", data });
    };
    await sweepOnce(walletWatch, "aurora");
    const kinds = (await db.select().from(wallet)).map(({ id, isForwardPayment }) => [id, isForwardPayment]);
    expect(Object.fromEntries(kinds)).toEqual({ master: false, forward: true, untold: null });
  });

  it("queues at most four balances at a time, behind every other watch", async () => {
    for (const _ of [1, 2, 3]) await open("EVM");
    const waiting = givenObservedLine();
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(walletBalance)).toHaveLength(9);
    const balances = waiting.filter(({ path }) => path.endsWith("/balance"));
    expect(Math.max(...balances.map(({ length }) => length))).toBe(4);
    expect(balances.filter(({ isPatient }) => !isPatient)).toEqual([]);
  });

  it("reads 1,200 wallets in half an hour, four in ten of them on three networks", async () => {
    const families = Array.from({ length: 1_200 }, (_, nth) => (nth % 5 < 2 ? "EVM" : "BTC"));
    await db.insert(wallet).values(families.map((family, nth) => ({ ...ofAurora, family, id: `w-${nth}` })));
    const isFirst = await balancesDue(db, "aurora", 30_000);
    expect(isFirst).toHaveLength(1_000);
    const networks = { EVM: ["ETHEREUM", "POLYGON", "BSC"], BTC: ["BITCOIN"] } as const;
    const now = Date.now();
    const tried = families.flatMap((family, nth) =>
      networks[family === "EVM" ? "EVM" : "BTC"].map((network) => ({
        tenant: "aurora",
        walletId: `w-${nth}`,
        network,
        entries: [],
        triedAt: new Date(now - nth),
      })),
    );
    await db.insert(walletBalance).values(tried);
    const due = await balancesDue(db, "aurora", 30_000);
    expect(due.length * 60).toBeGreaterThanOrEqual(tried.length);
    expect(due[0]).toMatchObject({ walletId: "w-1199" });
  });

  it("reads unread wallets first, then moved ones, then those with a balance", async () => {
    const holds = [{ address: "x", asset: "BTC", decimals: 8, balance: "0.50" }];
    const balances = [
      { walletId: "empty", triedAt: minutesAgo(9), entries: [] },
      { walletId: "empty for long", triedAt: minutesAgo(12), entries: [] },
      { walletId: "holds", triedAt: minutesAgo(5), entries: holds },
      { walletId: "moved", triedAt: minutesAgo(1), entries: holds, movedAt: minutesAgo(30) },
    ];
    const ids = ["never", ...balances.map(({ walletId }) => walletId)];
    await db.insert(wallet).values(ids.map((id) => ({ ...ofAurora, id, family: "BTC" })));
    await db
      .insert(walletBalance)
      .values(balances.map((one) => ({ tenant: "aurora", network: "BITCOIN" as const, ...one })));
    const inTurn = (await balancesDue(db, "aurora", 30 * 60_000)).map(({ walletId }) => walletId);
    expect(inTurn).toEqual(["never", "empty for long", "moved", "holds", "empty"]);
  });

  it("leaves forward wallets out of its rounds, except for an hour after one moved", async () => {
    const forward = { ...ofAurora, family: "BTC", isForwardPayment: true };
    const untold = { ...forward, isForwardPayment: null };
    await db.insert(wallet).values([
      { ...forward, id: "swept" },
      { ...forward, id: "never" },
      { ...forward, id: "paid" },
      { ...untold, id: "untold" },
      { ...untold, id: "called checkout" },
      { ...forward, id: "kept", isForwardPayment: false },
    ]);
    const called = { tenant: "aurora", setBy: randomUUID(), setAt: new Date(), use: "checkout" } as const;
    await db.insert(walletLabel).values([
      { ...called, walletId: "called checkout" },
      { ...called, walletId: "kept" },
    ]);
    const read = { tenant: "aurora", network: "BITCOIN" as const, entries: [], triedAt: minutesAgo(600) };
    await db
      .insert(walletBalance)
      .values([
        { ...read, walletId: "swept", movedAt: minutesAgo(61) },
        { ...read, walletId: "paid", movedAt: minutesAgo(59) },
        ...["untold", "called checkout", "kept"].map((walletId) => ({ ...read, walletId })),
      ]);
    const due = (await balancesDue(db, "aurora", 30_000)).map(({ walletId }) => walletId);
    expect(due).toEqual(["never", "paid", "kept", "untold"]);
  });

  it("spends nothing on 2,000 forward wallets that were read", async () => {
    const ids = Array.from({ length: 2_000 }, (_, nth) => `w-${nth}`);
    await db.insert(wallet).values(ids.map((id) => ({ ...ofAurora, id, family: "BTC", isForwardPayment: true })));
    await db.insert(walletBalance).values(
      ids.map((walletId) => {
        return { tenant: "aurora", walletId, network: "BITCOIN" as const, entries: [], triedAt: minutesAgo(600) };
      }),
    );
    expect(await balancesDue(db, "aurora", 30_000)).toEqual([]);
  });

  it("reads the ends of a known list, and all of it on news or after ten minutes", async () => {
    const listed = Array.from({ length: 250 }, (_, n) => ({ ...wrong, id: `w-${n}` }));
    const offsets: number[] = [];
    instead = (request) => {
      const url = new URL(request.url);
      if (url.pathname !== "/v1/crypto/wallets") return null;
      const offset = Number(url.searchParams.get("offset"));
      offsets.push(offset);
      return Response.json({ message: "", data: listed.slice(offset, offset + 100) });
    };
    const sweep = async () => {
      offsets.length = 0;
      await sweepOnce(walletWatch, "aurora");
      return [...offsets];
    };
    expect(await sweep()).toEqual([0, 100, 200, 250]);
    expect(await sweep()).toEqual([0, 250]);
    listed.push({ ...wrong, id: "at the end" });
    expect(await sweep()).toEqual([0, 250, 100, 200, 251]);
    listed.unshift({ ...wrong, id: "in front" });
    expect(await sweep()).toEqual([0, 100, 200, 252]);
    expect(await db.$count(wallet)).toBe(252);
    const walk = await walkOf();
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await remember(db, { tenant: "aurora", name: "wallets" }, { ...walk, walkedAt: anHourAgo });
    expect(await sweep()).toEqual([0, 100, 200, 252]);
  });

  it("keeps a wallet's turn when the call budget is spent", async () => {
    await open("BTC");
    const client = globalThis.retaguardaBanks?.get("aurora");
    if (client === undefined) throw new Error("there is no bank yet");
    const get: Provider["get"] = async (...asked) => {
      if (asked[1].path.endsWith("/balance")) throw new AppError("rate-limited", { code: "budget-spent" });
      return client.get(...asked);
    };
    globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
    await sweepOnce(walletWatch, "aurora");
    expect(await db.select().from(walletBalance)).toEqual([]);
    expect(await freshness("aurora", "wallets")).toMatchObject({ isStale: false });
  });

  it("pauses while the budget is spent, then resumes with the same wallet", async () => {
    const { walletId } = await open("BTC");
    const client = globalThis.retaguardaBanks?.get("aurora");
    if (client === undefined) throw new Error("there is no bank yet");
    let refusals = 0;
    const get: Provider["get"] = async (...asked) => {
      if (asked[1].path.endsWith("/balance") && refusals < 2) {
        refusals += 1;
        throw new AppError("rate-limited", { code: "budget-spent", retryAfterMs: 1 });
      }
      return client.get(...asked);
    };
    globalThis.retaguardaBanks = new Map([["aurora", { ...client, get }]]);
    await sweepOnce(walletWatch, "aurora");
    expect(refusals).toBe(2);
    expect(await balanceOf(walletId)).toHaveLength(1);
  });

  it("reads known wallets while the provider refuses the list", async () => {
    const { walletId } = await open("BTC");
    await sweepOnce(walletWatch, "aurora");
    await db.delete(walletBalance);
    instead = ({ url }) => (new URL(url).pathname.endsWith("/wallets") ? refusal() : null);
    await sweepOnce(walletWatch, "aurora");
    expect(await balanceOf(walletId)).toHaveLength(1);
    expect(await freshness("aurora", "wallets")).toMatchObject({ isStale: true });
  });

  it("leaves the rest to the next sweep when time runs out", async () => {
    givenEnv({ watchIntervalMs: 0 });
    for (const _ of [1, 2, 3]) await open("EVM");
    const stored: number[] = [];
    for (const _ of [1, 2, 3]) {
      await sweepOnce(walletWatch, "aurora");
      stored.push((await db.select().from(walletBalance)).length);
    }
    expect(stored).toEqual([4, 8, 9]);
  });

  it("notifies screens once per balance, however often read, and again on change", async () => {
    const { walletId, address } = await open("BTC");
    const actor = watchActor("wallets", "aurora", "wallets:read");
    const read = async () => {
      await refreshBalance(actor, { walletId, address, network: "BITCOIN" });
      return db.$count(liveEvent, eq(liveEvent.object, walletId));
    };
    await service.control("POST", "/sandbox/crypto/deposits", { network: "BITCOIN", address, amount: "0.5" });
    expect([await read(), await read()]).toEqual([1, 1]);
    await service.control("POST", "/sandbox/crypto/deposits", { network: "BITCOIN", address, amount: "0.25" });
    expect([await read(), await read()]).toEqual([2, 2]);
  });

  it("continues with the other addresses when one is unreadable", async () => {
    const broken = await open("TRON");
    const whole = await open("BTC");
    await service.control("POST", "/sandbox/faults", {
      method: "GET",
      path: `/v1/crypto/wallets/${broken.address}/balance`,
      status: 500,
      body: { message: "no" },
      times: 100,
    });
    await sweepOnce(walletWatch, "aurora");
    expect(await balanceOf(whole.walletId)).toHaveLength(1);
    const [failed] = await db.select().from(walletBalance).where(eq(walletBalance.walletId, broken.walletId));
    expect(failed?.asOf).toBeNull();
    expect(await freshness("aurora", "wallets")).toMatchObject({ isStale: false });
  });
});
