import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { watchActor } from "@/lib/permission/grant";
import { getSession } from "@/lib/auth/session";
import { type ChainFamily, FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { sweepOnce } from "@/lib/watch/watch";
import type { Db } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenService, givenStore } from "@/test/support/console";
import { ETHEREUM_USDT, STRANGERS, type WalletsAtHand, walletsOf } from "@/test/support/service/crypto";
import { START_MS } from "@/test/support/service/harness";
import { asDocumented } from "@/test/support/wallets";
import { refreshHistory } from "./history";
import { getHistory, listWallets } from "./queries";
import { refreshBalance, type WalletNetwork } from "./records";
import { isFamily } from "./inputs";
import { chainMovement } from "@/lib/db/tables/wallets";
import { walletWatch } from "./watch";

const TENANTS = 200;
const TIMEOUT_MS = 900_000;

const FAMILIES = ["EVM", "EVM", "BTC", "TRON", "SOLANA"] as const;
const DECIMALS: Readonly<Record<ChainFamily, number>> = { EVM: 18, BTC: 8, TRON: 6, SOLANA: 9, XRPL: 6 };
const USDT_DECIMALS = 6;

const place = fc.nat(99);
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("open"), family: fc.constantFrom(...FAMILIES), isForward: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("deposit"),
      wallet: place,
      network: place,
      isToken: fc.boolean(),
      units: fc.bigInt(1n, 10n ** 30n),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send"),
      wallet: place,
      network: place,
      isToken: fc.boolean(),
      to: fc.option(place),
      units: fc.bigInt(1n, 9n * 10n ** 6n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("read"), wallet: place, network: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("sweep") }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Opened = { id: string; address: string; family: ChainFamily };

const inDecimals = (units: bigint, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const watcher = () => watchActor("wallets", "aurora", "wallets:read");

function walletAt(opened: readonly Opened[], wallet: number, network: number): Opened & { network: Network } {
  const one = opened[wallet % opened.length] ?? { id: "", address: "", family: "EVM" as const };
  const networks = FAMILY_NETWORKS[one.family];
  return { ...one, network: networks[network % networks.length] ?? "ETHEREUM" };
}

const listed = async (wallets: WalletsAtHand): Promise<Opened[]> =>
  (await wallets.list("?limit=500")).flatMap(({ id, address, network }) =>
    isFamily(network) ? [{ id, address, family: network }] : [],
  );

async function follow(wallets: WalletsAtHand, each: Step): Promise<void> {
  if (each.do === "sweep") return sweepOnce(walletWatch, "aurora");
  if (each.do === "open") {
    await wallets.create(each.family, each.isForward ? { isForwardPayment: 1 } : {});
    return;
  }
  const opened = await listed(wallets);
  const { id, address, family, network } = walletAt(opened, each.wallet, each.network);
  if (each.do === "read") {
    const one = { walletId: id, address, network };
    await refreshBalance(watcher(), one);
    return refreshHistory(watcher(), one);
  }
  const isToken = each.isToken && network === "ETHEREUM";
  const amount = inDecimals(each.units, isToken ? USDT_DECIMALS : DECIMALS[family]);
  const order = { network, amount, ...(isToken && { tokenAddress: ETHEREUM_USDT }) };
  if (each.do === "deposit") {
    await wallets.deposit({ ...order, address });
    return;
  }
  const to =
    each.to === null
      ? STRANGERS[network]
      : walletAt(
          opened.filter((one) => one.family === family),
          each.to,
          0,
        ).address;
  await wallets.transfer({ ...order, fromAddress: address, to });
}

/** Counts what was compared, so that an empty test cannot pass. */
const compared = { movements: 0, tokens: 0, fees: 0, balances: 0 };

type ServiceEntry = { hash: string; transactionSubtype: string; amount: string; counterAddress: string };

/** Fields of the service beyond the interface, for the comparison alone. */
const beyond = (entry: object, name: "asset" | "fee" | "tokenAddress"): string | null => {
  const value: unknown = Object.entries(entry).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : null;
};

const lineOf = (network: string, { hash, transactionSubtype, amount, counterAddress }: ServiceEntry) =>
  [network, hash, transactionSubtype, amount, counterAddress].join(" ");

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + unitsOf(amount), 0n);

async function expectHistory(db: Db, wallets: WalletsAtHand, one: WalletNetwork): Promise<void> {
  const { walletId, address, network } = one;
  const told = (await wallets.entries(address, `${network}&pageSize=500`)).flatMap((entry) =>
    "unread" in entry ? [] : [entry],
  );
  const stored = (await db.select().from(chainMovement)).filter(
    (movement) => movement.walletId === walletId && movement.network === network,
  );
  const lines = stored.map(({ subtype, ...rest }) => lineOf(network, { ...rest, transactionSubtype: subtype }));
  expect(lines.toSorted()).toEqual(told.map((entry) => lineOf(network, entry)).toSorted());
  for (const { hash, subtype, amount, tokenAddress, derivedFee } of stored) {
    const its = told.filter(
      (entry) => entry.hash === hash && entry.transactionSubtype === subtype && entry.amount === amount,
    );
    compared.movements += 1;
    if (tokenAddress !== null) compared.tokens += 1;
    if (derivedFee !== null) compared.fees += 1;
    if (tokenAddress !== null) expect(its.map((entry) => beyond(entry, "tokenAddress"))).toContain(tokenAddress);
    if (derivedFee !== null)
      expect(its.map((entry) => unitsOf(beyond(entry, "fee") ?? "0"))).toContain(unitsOf(derivedFee));
  }
  for (const { balance, tokenAddress } of (await wallets.balances(address, network)).flatMap((entry) =>
    "unread" in entry ? [] : [entry],
  )) {
    const token = tokenAddress ?? null;
    const ofAsset = stored.filter((movement) => movement.tokenAddress === token);
    const natives = told.filter((entry) => beyond(entry, "tokenAddress") === null);
    if (token === null && ofAsset.length !== natives.length) continue;
    compared.balances += 1;
    const moved = (subtype: string) =>
      sum(ofAsset.filter((movement) => movement.subtype === subtype).map(({ amount }) => amount));
    const fees = token === null ? sum(told.flatMap((entry) => beyond(entry, "fee") ?? [])) : 0n;
    expect(moved("incoming") - moved("outgoing") - fees).toBe(unitsOf(balance));
  }
}

async function expectSums(wallets: WalletsAtHand, pairs: readonly WalletNetwork[]): Promise<void> {
  const held = new Map<string, bigint>();
  for (const { address, network } of pairs) {
    for (const entry of await wallets.balances(address, network)) {
      if ("unread" in entry) continue;
      const key = [network, entry.asset, entry.tokenAddress ?? ""].join(" ");
      held.set(key, (held.get(key) ?? 0n) + unitsOf(entry.balance));
    }
  }
  const { sums } = await listWallets();
  expect(sums).toMatchObject({ unread: 0 });
  const shown = sums.rows.map(({ network, asset, tokenAddress, sum: total }): [string, string] => [
    [network, asset, tokenAddress ?? ""].join(" "),
    total,
  ]);
  const own = [...held]
    .filter(([, units]) => units > 0n)
    .map(([key, units]): [string, string] => [key, decimalOf(units)]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(own));
}

async function live(steps: readonly Step[]): Promise<void> {
  givenEnv();
  const db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["finance"] }));
  const service = await givenService(
    () => {},
    (serve) => async (request) => asDocumented(request, await serve(request)),
    {
      SERVICE_RATE_LIMIT_PER_MINUTE: "1000000",
      SERVICE_HOLD_FROM_COINS: "1000000000000",
      SERVICE_BLOCK_FROM_COINS: "1000000000000",
    },
  );
  const wallets = walletsOf(service);
  await wallets.create("EVM");
  let serviceMs = START_MS;
  for (const each of steps) {
    // A fee is derived only when the chain's time is between two readings.
    const nowMs = Date.now();
    await service.advance(nowMs - serviceMs);
    serviceMs = nowMs;
    await follow(wallets, each);
  }
  await sweepOnce(walletWatch, "aurora");
  const pairs = (await listed(wallets)).flatMap(({ id, address, family }) =>
    FAMILY_NETWORKS[family].map((network): WalletNetwork => ({ walletId: id, address, network })),
  );
  for (const one of pairs) {
    await refreshBalance(watcher(), one);
    await refreshHistory(watcher(), one);
    await expectHistory(db, wallets, one);
  }
  await expectSums(wallets, pairs);
  for (const id of new Set(pairs.map(({ walletId }) => walletId)))
    expect((await getHistory(id))?.readings.every(({ isWhole, unread }) => isWhole && unread === 0)).toBe(true);
}

it(
  `matches the service's list and history sums exactly at ${TENANTS} tenants`,
  async () => {
    const lives = fc.sample(fc.array(step, { minLength: 4, maxLength: 14 }), { seed: 38, numRuns: TENANTS });
    for (const [seed, steps] of lives.entries()) {
      await live(steps).catch((error: unknown) => {
        throw new Error(`tenant ${seed}`, { cause: error });
      });
    }
    expect(Object.entries(compared).filter(([, count]) => count === 0)).toEqual([]);
  },
  TIMEOUT_MS,
);
