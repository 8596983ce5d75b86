import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { chainMovement, chainReading, wallet, walletBalance } from "@/lib/db/tables/wallets";
import type { Db } from "@/lib/db/connection";
import { watchActor } from "@/lib/permission/grant";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import { movementState } from "./chain-state";
import { refreshHistory } from "./history";
import type { WalletNetwork } from "./records";

const RUNS = process.env["TEST_LONG"] ? 200 : 40;
const ONE: WalletNetwork = {
  walletId: "w",
  address: "0x00000000000000000000000000000000000000aa",
  network: "ETHEREUM",
};
const TIME_MS = 1_700_000_000_000;
const TOKEN = "0x1111111111111111111111111111111111111abc";

type Told = Record<string, unknown>;

let db: Db;
let told: readonly Told[] = [];

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  told = [];
  await givenService(
    () => {},
    (serve) => (request) => {
      const url = new URL(request.url);
      if (!url.pathname.endsWith("/history")) return serve(request);
      const page = Number(url.searchParams.get("page"));
      const size = Number(url.searchParams.get("pageSize"));
      const token = url.searchParams.get("tokenAddress")?.trim().toLowerCase();
      const isAsked = (one: Told) => token === undefined || (token === TOKEN && one["token"] === true);
      return Response.json({ message: "", data: told.filter(isAsked).slice(page * size, (page + 1) * size) });
    },
  );
  const at = new Date(0);
  const coin = { address: ONE.address, family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant: "aurora", id: "w", ...coin, createdAt: at, seenAt: at });
});

async function forget(): Promise<void> {
  await db.delete(chainMovement);
  await db.delete(chainReading);
  await db.delete(walletBalance);
}

async function read(entries: readonly Told[], token: string | null = null): Promise<void> {
  told = entries;
  if (token !== null) {
    const held = { address: ONE.address, asset: "USDT", decimals: 6, balance: "1", tokenAddress: token };
    const row = { entries: [held], asOf: new Date(0) };
    const here = { tenant: "aurora", walletId: "w", network: ONE.network };
    const { tenant, walletId, network } = walletBalance;
    await db
      .insert(walletBalance)
      .values({ ...here, ...row })
      .onConflictDoUpdate({ target: [tenant, walletId, network], set: row });
  }
  await refreshHistory(watchActor("wallets", "aurora", "wallets:read"), ONE);
}

const stored = async () =>
  (await db.select().from(chainMovement)).toSorted((one, other) => (one.key < other.key ? -1 : 1));

const byText = (one: string, other: string) => (one < other ? -1 : 1);

const states = async () =>
  (await stored()).map((row) => `${row.amount},${movementState(row)},${row.blockNumber ?? ""}`).toSorted(byText);

const entry = (nth: number, changes: Told = {}): Told => ({
  chain: "ETHEREUM",
  hash: `0x${String(nth).padStart(64, "a")}`,
  address: ONE.address,
  blockNumber: 100 + nth,
  amount: `${nth}.5`,
  transactionSubtype: "incoming",
  counterAddress: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  timestamp: TIME_MS + nth * 1_000,
  ...changes,
});

describe("an entry of a chain", () => {
  it.each([
    ["0", { timestamp: 0, blockNumber: null }],
    ["null", { timestamp: null, blockNumber: null }],
    ["absent", { timestamp: undefined, blockNumber: undefined }],
    ["0 with the block 0", { timestamp: 0, blockNumber: 0 }],
  ])("calls an entry unconfirmed with a time of %s, and confirmed with a real one", async (_, changes) => {
    await read([entry(1, changes)]);
    const [row] = await stored();
    expect(await states()).toEqual(["1.5,unconfirmed,"]);
    expect(row?.at.getTime()).toBeGreaterThan(TIME_MS);
    await read([entry(1)]);
    expect(await stored()).toMatchObject([{ at: new Date(TIME_MS + 1_000), blockNumber: "101", isDated: true }]);
  });

  it.each([
    ["seconds", TIME_MS / 1_000],
    ["seconds as a text", String(TIME_MS / 1_000)],
    ["microseconds", TIME_MS * 1_000],
    ["a time as ISO 8601 says", new Date(TIME_MS).toISOString()],
  ])("gives an entry in %s its own day", async (_, timestamp) => {
    await read([entry(1, { timestamp })]);
    expect(await stored()).toMatchObject([{ at: new Date(TIME_MS) }]);
  });

  it("leaves an entry undated with an impossible time, never in 1970", async () => {
    await read([entry(1, { timestamp: 86_400_000 })]);
    expect(await states()).toEqual(["1.5,undated,101"]);
  });

  it.each([
    [{ status: "failed" }, "failed"],
    [{ status: "REVERTED" }, "failed"],
    [{ isError: "1" }, "failed"],
    [{ status: "confirmed" }, "confirmed"],
    [{ status: "pending" }, "unconfirmed"],
  ])("reads an entry with %j as %s", async (changes, state) => {
    await read([entry(1, changes)]);
    expect(await states()).toEqual([`1.5,${state},101`]);
  });

  it("drops an entry once its network omits it, and restores it on return", async () => {
    await read([entry(2), entry(1)]);
    await read([entry(1)]);
    expect(await states()).toEqual(["1.5,confirmed,101", "2.5,dropped,102"]);
    await read([entry(2), entry(1)]);
    expect(await states()).toEqual(["1.5,confirmed,101", "2.5,confirmed,102"]);
  });

  it("keeps an entry that an answer holds unreadably", async () => {
    await read([entry(2), entry(1)]);
    await read([entry(2, { amount: {} }), entry(1)]);
    expect(await states()).toEqual(["1.5,confirmed,101", "2.5,confirmed,102"]);
  });

  it("keeps an entry on a page that was not read again", async () => {
    const all = Array.from({ length: 130 }, (_, nth) => entry(130 - nth));
    await read(all);
    await read([entry(131), ...all]);
    expect((await states()).filter((state) => !state.includes("confirmed"))).toEqual([]);
    expect(await stored()).toHaveLength(131);
  });

  it("keeps a movement's row from an earlier version's key", async () => {
    const { hash, counterAddress } = entry(1);
    const said = {
      hash: String(hash),
      counterAddress: String(counterAddress),
      subtype: "incoming",
      at: new Date(TIME_MS),
    };
    const row = { tenant: "aurora", walletId: "w", network: "ETHEREUM" as const, ordinal: 0, ...said };
    await db.insert(chainMovement).values([
      { ...row, key: "old", amount: "1.5" },
      { ...row, key: "older", amount: "1.50", hash: said.hash.toUpperCase().replace("0X", "0x"), tokenAddress: "0xt" },
    ]);
    await read([entry(1)]);
    expect(await stored()).toMatchObject([{ tokenAddress: "0xt", blockNumber: "101" }]);
  });
});

const hex = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text.toUpperCase().replace("0X", "0x"),
  (text: string) => ` ${text} `,
);
const bare = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace("0x", ""),
);
const amount = fc.constantFrom(
  (text: string) => text,
  (text: string) => `${text}000`,
  (text: string) => `0${text}`,
  (text: string) => Number(text),
);
const time = fc.constantFrom(
  (ms: number) => ms,
  (ms: number) => ms / 1_000,
  (ms: number) => String(ms),
  (ms: number) => new Date(ms).toISOString(),
);
const spelling = fc.record({ hex, other: hex, bare, amount, time });
type Spelling = typeof spelling extends fc.Arbitrary<infer Value> ? Value : never;
const hexOf = (how: Spelling | undefined, text: string) => how?.hex(text) ?? text;

const DAI = "0x2222222222222222222222222222222222222Def";

const ASSETS = [
  { asset: "ETH" },
  { asset: "USDT", tokenAddress: TOKEN },
  { asset: "DAI", tokenAddress: DAI },
  { asset: "\u0415TH" },
] as const;

/** Which asset each entry moved, how often alike, and whether it tells so at first and later. */
const telling = fc.record({
  nth: fc.integer({ min: 1, max: 3 }),
  asset: fc.constantFrom(...ASSETS),
  first: fc.boolean(),
  later: fc.boolean(),
});
type Telling = typeof telling extends fc.Arbitrary<infer Value> ? Value : never;

const isEver = ({ first, later }: Telling) => first || later;

const rowsTold = async () =>
  (await stored())
    .map(({ key, tokenAddress, asset, droppedAt }) => [key, tokenAddress, asset, droppedAt === null].join(" "))
    .toSorted(byText);

const assetsStored = async () =>
  (await stored())
    .map(({ hash, tokenAddress, asset }) => [Number(hash.slice(-1)), tokenAddress?.toLowerCase(), asset].join(" "))
    .toSorted(byText);

const assetsTold = (entries: readonly Telling[], isTold: (one: Telling) => boolean) =>
  entries
    .map((one) => {
      if (!isTold(one)) return `${one.nth}  `;
      const contract = "tokenAddress" in one.asset ? one.asset.tokenAddress.toLowerCase() : "";
      return [one.nth, contract, one.asset.asset].join(" ");
    })
    .toSorted(byText);

const respeltBy = (how: (text: string) => string, word: unknown) => (typeof word === "string" ? how(word) : word);

describe("what an entry tells of its asset", () => {
  it("is read of that entry alone, in any order and spelling, and later too", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(telling, { minLength: 1, maxLength: 6 }),
        fc.array(spelling, { minLength: 6, maxLength: 6 }),
        fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
        async (entries, spellings, places) => {
          await forget();
          const newest = entries.toSorted((one, other) => other.nth - one.nth);
          const said = (isTold: (one: Telling) => boolean) =>
            newest.map((one) => entry(one.nth, isTold(one) ? one.asset : {}));
          await read(said(({ first }) => first));
          expect(await assetsStored()).toEqual(assetsTold(entries, ({ first }) => first));
          await read(said(isEver));
          const before = await rowsTold();
          expect(await assetsStored()).toEqual(assetsTold(entries, isEver));
          const respelt = said(isEver).map((one, at) => {
            const how = spellings[Number(one["blockNumber"]) - 101];
            const own = spellings[at];
            if (how === undefined || own === undefined) return one;
            return {
              ...one,
              hash: how.bare(how.hex(String(one["hash"]))),
              amount: how.amount(String(one["amount"])),
              asset: respeltBy(own.other, one["asset"]),
              tokenAddress: respeltBy(own.hex, one["tokenAddress"]),
            };
          });
          const shuffled = respelt
            .map((one, at) => ({ one, place: [-Number(one["blockNumber"]), places[at] ?? 0] as const }))
            .toSorted(({ place: a }, { place: b }) => a[0] - b[0] || a[1] - b[1])
            .map(({ one }) => one);
          await read(shuffled);
          expect(await rowsTold()).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("claims the rows that were stored untold, and doubles none", async () => {
    await read([entry(1), entry(1), entry(2)]);
    const keys = (await stored()).map(({ key, ordinal }) => `${key} ${ordinal}`);
    await read([entry(1, ASSETS[0]), entry(1, ASSETS[1]), entry(2, ASSETS[2])]);
    expect((await stored()).map(({ key, ordinal }) => `${key} ${ordinal}`)).toEqual(keys);
    expect(await assetsStored()).toEqual([`1  ETH`, `1 ${TOKEN.toLowerCase()} USDT`, `2 ${DAI.toLowerCase()} DAI`]);
  });

  it("keeps what was told once when a later answer leaves it out", async () => {
    await read([entry(1, ASSETS[1]), entry(2, ASSETS[0])]);
    await read([entry(1), entry(2)]);
    expect(await assetsStored()).toEqual([`1 ${TOKEN.toLowerCase()} USDT`, "2  ETH"]);
  });

  it("is one row with the answer to its token's query", async () => {
    const usdt = { ...ASSETS[1], token: true };
    await read([entry(2, usdt), entry(1, usdt)], TOKEN.toUpperCase().replace("0X", "0x"));
    await read([entry(2, { token: true }), entry(1, usdt)], TOKEN);
    expect(await assetsStored()).toEqual([1, 2].map((nth) => `${nth} ${TOKEN.toLowerCase()} USDT`));
  });

  it.each([
    ["another token", ASSETS[2], `1 ${DAI.toLowerCase()} DAI`],
    ["the network's coin", ASSETS[0], "1  ETH"],
  ])("wins over its token's query where it tells %s", async (_, own, row) => {
    await read([entry(2), entry(1, { ...own, token: true })], TOKEN);
    await read([entry(2), entry(1, { ...own, token: true })], TOKEN);
    expect((await assetsStored()).filter((one) => one.startsWith("1"))).toEqual([row]);
  });

  it("leaves a mere word to its token's query, which names a contract", async () => {
    await read([entry(2), entry(1, { asset: "Tether", token: true })], TOKEN);
    expect(await assetsStored()).toEqual([`1 ${TOKEN.toLowerCase()} USDT`, "2  "]);
  });

  it("gives a mere word its token, once a query of the token returns it", async () => {
    await read([entry(1, { asset: "USDT", token: true }), entry(2, { asset: "USDX" })]);
    expect(await assetsStored()).toEqual(["1  USDT", "2  USDX"]);
    const again = [entry(1, { asset: "USDT", token: true }), entry(2, { asset: "USDX" })];
    await read(again, TOKEN);
    await read(again);
    expect(await assetsStored()).toEqual([`1 ${TOKEN.toLowerCase()} USDT`, "2  USDX"]);
  });

  it.each([
    [{ asset: "" }],
    [{ asset: null, tokenAddress: " " }],
    [{ asset: {} }],
    [{ asset: "\u200b", tokenAddress: [] }],
  ])("is nothing with %j", async (changes) => {
    await read([entry(1, changes)]);
    expect(await assetsStored()).toEqual(["1  "]);
  });
});

const sent = (nth: number, changes: Told = {}) => entry(nth, { transactionSubtype: "outgoing", ...changes });
const fees = async () =>
  (await stored()).map(({ hash, toldFee }) => `${hash.slice(-1)} ${String(toldFee)}`).toSorted(byText);

describe("what an entry tells of its fee", () => {
  it("is kept of what was sent, in any spelling, also when told later or left out", async () => {
    await read([sent(3), sent(2, { fee: "0.50" }), entry(1, { fee: "0.5" })]);
    expect(await fees()).toEqual(["1 null", "2 0.5", "3 null"]);
    const before = await stored();
    await read([sent(3), sent(2, { fee: 0.5 }), entry(1)]);
    expect(await stored()).toEqual(before);
    await read([sent(3, { fee: "2.5e-7" }), sent(2), entry(1)]);
    expect(await fees()).toEqual(["1 null", "2 0.5", "3 0.00000025"]);
  });

  it.each([["-0.1"], [""], ["1 ETH"], [null], [{ amount: "1" }], ["NaN"]])("is nothing with %j", async (fee) => {
    await read([sent(1, { fee })]);
    expect(await fees()).toEqual(["1 null"]);
  });

  it("may be zero", async () => {
    await read([sent(1, { fee: 0 })]);
    expect(await fees()).toEqual(["1 0"]);
  });
});

describe("a history told again", () => {
  it("stores the same rows for a history in any spelling", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
        fc.array(spelling, { minLength: 6, maxLength: 6 }),
        fc.constantFrom(null, hexOf),
        async (nths, spellings, ofToken) => {
          await forget();
          const token = ofToken === null ? null : TOKEN;
          const plain = nths
            .toSorted((one, other) => other - one)
            .map((nth) => entry(nth, { token: token !== null && nth % 2 === 0 }));
          await read(plain, token);
          const before = await stored();
          expect(before.filter(({ tokenAddress }) => tokenAddress !== null)).toHaveLength(
            plain.filter((one) => one["token"] === true).length,
          );
          const respelt = plain.map((one, at) => {
            // Equal movements in one transaction share a spelling within one answer.
            const how = spellings[Number(one["blockNumber"]) - 101] ?? spellings[at];
            if (how === undefined) return one;
            return {
              ...one,
              hash: how.bare(how.hex(String(one["hash"]))),
              counterAddress: how.other(String(one["counterAddress"])),
              amount: how.amount(String(one["amount"])),
              timestamp: how.time(Number(one["timestamp"])),
            };
          });
          await read(respelt, ofToken === null ? null : ofToken(spellings[0], TOKEN));
          expect(await stored()).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("stores one row for two spellings within one answer", async () => {
    await read([entry(1), entry(1, { hash: String(entry(1)["hash"]).toUpperCase(), amount: "1.50" })]);
    expect(await stored()).toHaveLength(1);
  });

  it("keeps the last answer after drops, confirmations and reversals", async () => {
    const step = fc.array(
      fc.record({
        nth: fc.integer({ min: 1, max: 6 }),
        as: fc.constantFrom("pending", "mined", "failed"),
      }),
      { maxLength: 6 },
    );
    const CHANGES: Readonly<Record<string, Told>> = {
      pending: { timestamp: 0, blockNumber: null },
      failed: { status: "failed" },
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        await forget();
        let last = new Map<number, string>();
        for (const one of steps) {
          last = new Map(one.map(({ nth, as }) => [nth, as]));
          await read([...last].map(([nth, as]) => entry(nth, CHANGES[as] ?? {})));
        }
        const standing = (await states()).filter((state) => !state.includes("dropped"));
        const expected = [...last].map(([nth, as]) => {
          if (as === "pending") return `${nth}.5,unconfirmed,`;
          return `${nth}.5,${as === "failed" ? "failed" : "confirmed"},${100 + nth}`;
        });
        expect(standing).toEqual(expected.toSorted(byText));
      }),
      { numRuns: RUNS },
    );
  });
});
