import { CHAIN_FAMILIES, type ChainFamily, type Network } from "@/lib/contract/crypto";
import type { Call } from "@/service/context";
import { deriveAddress } from "@/service/crypto/addresses/family";
import { openWallet, type Wallet } from "@/service/crypto/wallet";
import { type ChainMove, networkFee, settleArrival } from "@/service/crypto/chain";
import { type Asset, assetIdOf, KNOWN_ASSETS } from "@/service/ledger/account";
import { uuid } from "@/service/random";
import type { Tx } from "@/service/store/transaction";
import type { Dice } from "./people";

type Holding = { network: Network; tokenAddress: string | null; units: readonly [from: number, to: number] };
type World = { dice: Dice; newId: () => string; stranger: Readonly<Record<ChainFamily, string>> };

const DAY_MS = 86_400_000;

const tokenOf = (network: Network, symbol: string): string | null =>
  KNOWN_ASSETS.find((asset) => asset.network === network && asset.symbol === symbol)?.tokenAddress ?? null;

const native = (network: Network, from: number, to: number): Holding => ({
  network,
  tokenAddress: null,
  units: [from, to],
});
const token = (network: Network, symbol: string, units: Holding["units"]): Holding => {
  return { network, tokenAddress: tokenOf(network, symbol), units };
};

/** In thousandths of the asset. */
const DEPOSITS: Readonly<Record<ChainFamily, readonly Holding[]>> = {
  EVM: [
    native("ETHEREUM", 40, 2_400),
    token("ETHEREUM", "USDT", [150_000, 9_000_000]),
    token("ETHEREUM", "USDC", [100_000, 6_000_000]),
    native("POLYGON", 12_000, 900_000),
    token("POLYGON", "USDC", [50_000, 2_500_000]),
    native("BSC", 80, 6_000),
    token("BSC", "USDT", [90_000, 4_000_000]),
  ],
  BTC: [native("BITCOIN", 3, 380)],
  TRON: [native("TRON", 90_000, 7_000_000), token("TRON", "USDT", [50_000, 12_000_000])],
  SOLANA: [native("SOLANA", 700, 45_000), token("SOLANA", "USDC", [50_000, 3_000_000])],
  XRPL: [native("XRPL", 60_000, 4_000_000)],
};

function assetOf({ network, tokenAddress }: Holding): Asset {
  const id = assetIdOf(network, tokenAddress);
  const asset = KNOWN_ASSETS.find((known) => known.id === id);
  if (!asset) throw new Error(`the demo deposits an unknown asset: ${id}`);
  return asset;
}

export function someDeposit(dice: Dice, family: ChainFamily): Pick<ChainMove, "network" | "asset" | "units"> {
  const holding = dice.pick(DEPOSITS[family]);
  const asset = assetOf(holding);
  const unitsOfOne = 10n ** BigInt(asset.decimals);
  const millionths = BigInt(dice.int(...holding.units) * 1_000 + dice.int(0, 999));
  const dust = asset.id === "ETHEREUM" && dice.chance(0.5) ? BigInt(dice.int(1, 999_999)) : 0n;
  return { network: holding.network, asset, units: (millionths * unitsOfOne) / 1_000_000n + dust };
}

/** Of the forward ones; one is without, as some providers tell none. */
const REFERENCES: Readonly<Record<ChainFamily, string | null>> = {
  BTC: "pedido-20418",
  TRON: "pedido-20431",
  EVM: "pedido-20422",
  SOLANA: "pedido-20425",
  XRPL: null,
};

/** For every family: the master, an ordinary one, a user's and a forward one. */
async function openWallets(call: Call, tx: Tx, dice: Dice): Promise<Wallet[]> {
  const wallets: Wallet[] = [];
  for (const [order, plan] of [
    { isForwardPayment: 0, userId: null },
    { isForwardPayment: 0, userId: "usr-1042" },
    { isForwardPayment: 1, userId: null },
    { isForwardPayment: 0, userId: "usr-2210" },
  ].entries()) {
    for (const family of CHAIN_FAMILIES) {
      const atMs = call.clock.now() - (85 - order * 20 + dice.fraction() * 10) * DAY_MS;
      const then = { ...call, clock: { ...call.clock, now: () => atMs } };
      const reference = plan.isForwardPayment === 1 ? REFERENCES[family] : null;
      wallets.push(await openWallet(then, tx, { family, reference, ...plan }));
    }
  }
  return wallets;
}

/** One in each equal part of its life, so that no week is empty. */
function arrivalsAt(wallet: Wallet, { dice, newId, stranger }: World, nowMs: number): ChainMove[] {
  const openedAtMs = wallet.createdAt.getTime();
  const count = wallet.family === "EVM" ? 6 : 3;
  return Array.from({ length: count }, (_, part) => ({
    id: newId(),
    ...someDeposit(dice, wallet.family),
    fee: 0n,
    from: { address: stranger[wallet.family], wallet: null },
    to: { address: wallet.address, wallet },
    at: new Date(openedAtMs + Math.floor(((part + dice.fraction()) * (nowMs - openedAtMs)) / count)),
  }));
}

const HOUR_MS = 3_600_000;

/** One customer pays the same amount once more. */
function paidTwice(arrivals: readonly ChainMove[], { newId }: World): ChainMove[] {
  const first = arrivals.find(({ to }) => to.wallet?.isForwardPayment === 1 && to.wallet.family === "BTC");
  return first === undefined ? [] : [{ ...first, id: newId(), at: new Date(first.at.getTime() + 2 * HOUR_MS) }];
}

/** At most half of the arrivals, and later. */
function departuresAfter(arrivals: readonly ChainMove[], { dice, newId }: World, nowMs: number): ChainMove[] {
  return arrivals
    .filter(({ asset, to }) => asset.tokenAddress === null && to.wallet?.isForwardPayment === 0 && dice.chance(0.5))
    .map((arrival) => ({
      ...arrival,
      id: newId(),
      units: (arrival.units * BigInt(dice.int(5, 80))) / 100n,
      fee: networkFee(arrival.network),
      from: arrival.to,
      to: arrival.from,
      at: new Date(arrival.at.getTime() + Math.floor(dice.fraction() * (nowMs - arrival.at.getTime()))),
    }));
}

export async function fillWallets(call: Call, tx: Tx, dice: Dice): Promise<void> {
  const strangeSeed = call.random(32);
  const address = (family: ChainFamily) => deriveAddress(strangeSeed, family, 0);
  const stranger = {
    EVM: address("EVM"),
    BTC: address("BTC"),
    TRON: address("TRON"),
    SOLANA: address("SOLANA"),
    XRPL: address("XRPL"),
  };
  const world = { dice, newId: () => uuid(call.random), stranger };
  const wallets = await openWallets(call, tx, dice);
  const nowMs = call.clock.now();
  const arrivals = wallets.flatMap((wallet) => arrivalsAt(wallet, world, nowMs));
  const departures = departuresAfter(arrivals, world, nowMs);
  const moves = [...arrivals, ...departures, ...paidTwice(arrivals, world)].toSorted(
    (one, other) => one.at.getTime() - other.at.getTime(),
  );
  for (const move of moves) await settleArrival(call, tx, move);
}
