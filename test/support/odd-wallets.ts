import * as fc from "fast-check";
import { FAMILY_NETWORKS, type Network } from "@/lib/contract/crypto";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { ETHEREUM_USDT } from "./service/crypto";

/** For one address under several ids: its balance and movements, each once. */
type Moved = { hash: string; amount: string; isOut: boolean; state: "confirmed" | "unconfirmed" | "failed" };
type Held = { asset: string; tokenAddress?: string; balance: string };
type Place = { network: Network; held: Held[]; moved: Moved[] };
type OddWallet = { ids: string[]; address: string; family: "EVM" | "BTC"; status: string; places: Place[] };

const ODD_IDS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "a/b c", "é·ü"];
const ODD_WORDS = ["ACTIVE", "ATIVA", "toString", "constructor", "EM USO"];
const LONG_AGO_MS = Date.now() - 90 * 86_400_000;

const UNIT = 10n ** 18n;
const units = fc.bigInt(1n, 10n ** 24n).map((all) => `${String(all / UNIT)}.${String(all % UNIT).padStart(18, "0")}`);

const moved = fc.record({
  amount: units,
  isOut: fc.boolean(),
  state: fc.constantFrom("confirmed", "confirmed", "confirmed", "unconfirmed", "failed"),
});

const shape = fc.record({
  isEvm: fc.constantFrom(true, false, false),
  ids: fc.constantFrom(1, 1, 2, 3),
  status: fc.constantFrom(...ODD_WORDS),
  places: fc.array(
    fc.record({
      coin: units,
      token: fc.option(units),
      moved: fc.array(moved, { maxLength: 5 }),
    }),
    { minLength: 3, maxLength: 3 },
  ),
});
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;

const COIN: Readonly<Partial<Record<Network, string>>> = {
  ETHEREUM: "ETH",
  POLYGON: "POL",
  BSC: "BNB",
  BITCOIN: "BTC",
};

function walletOf(seed: number, { isEvm, ids, status, places }: Shape): OddWallet {
  const family = isEvm ? "EVM" : "BTC";
  const body = seed
    .toString(16)
    .padStart(6, "0")
    .padStart(isEvm ? 40 : 38, "c0ffee");
  return {
    ids: Array.from({ length: ids }, (_, nth) => (nth === 0 && ODD_IDS[seed]) || `w${seed}-${nth}`),
    address: isEvm ? `0x${body}` : `bc1q${body.replaceAll("0", "x").replaceAll("1", "y")}`,
    family,
    status,
    places: FAMILY_NETWORKS[family].map((network, at): Place => {
      const told = places[at];
      const token = network === "ETHEREUM" ? (told?.token ?? null) : null;
      const coin = { asset: COIN[network] ?? "", balance: told?.coin ?? "0" };
      const ofToken = token === null ? [] : [{ asset: "USDT", tokenAddress: ETHEREUM_USDT, balance: token }];
      return {
        network,
        held: [coin, ...ofToken],
        moved: (told?.moved ?? []).map((one, nth) => ({
          ...one,
          hash: `0x${seed.toString(16).padStart(8, "0")}${String(at)}${String(nth).padStart(55, "a")}`,
        })),
      };
    }),
  };
}

export const oddWallets = (count: number, seed: number): OddWallet[] =>
  fc.sample(shape, { seed, numRuns: count }).map((one, nth) => walletOf(nth, one));

/** Unknown fields whose names every object has. */
const ODD_FIELDS = { toString: "x", constructor: { a: [1] }, valueOf: null };

const shout = (text: string): string => text.toUpperCase().replace("0X", "0x");

function entryOf(network: Network, address: string, { hash, amount, isOut, state }: Moved, nth: number) {
  return {
    chain: network,
    hash,
    address,
    blockNumber: state === "unconfirmed" ? 0 : 100 - nth,
    amount,
    transactionSubtype: isOut ? "outgoing" : "incoming",
    counterAddress: ETHEREUM_USDT,
    timestamp: state === "unconfirmed" ? 0 : LONG_AGO_MS - nth * 1_000,
    ...(state === "failed" && { status: "failed" }),
    ...ODD_FIELDS,
  };
}

const respelt = ({ hash, amount, counterAddress, ...one }: ReturnType<typeof entryOf>) => ({
  ...one,
  hash: shout(hash).slice(2),
  amount: `0${amount}0`,
  counterAddress: shout(counterAddress),
});

function listOf(wallets: readonly OddWallet[]) {
  return wallets.flatMap(({ ids, address, family, status }) =>
    ids.map((id, nth) => ({
      id,
      clientId: "aurora",
      network: family,
      address: nth === 1 ? (family === "EVM" ? shout(address) : address.toUpperCase()) : address,
      coin: "",
      status,
      isForwardPayment: 0,
      createdAt: new Date(LONG_AGO_MS).toISOString(),
      ...ODD_FIELDS,
    })),
  );
}

const repeated = <Row>(rows: readonly Row[], again: (row: Row) => Row): Row[] =>
  rows.flatMap((row, nth) => (nth % 2 === 0 ? [row, again(row)] : [row]));

const answered = (data: unknown) => Response.json({ message: "", data });

/** Lists in pages of 100, repeats every other entry in another spelling, and refuses each address's third first call. */
export function oddProvider(wallets: readonly OddWallet[]) {
  const byAddress = new Map(wallets.map((one) => [one.address.toLowerCase(), one]));
  const refused = new Set<string>();
  return (request: Request): Response | null => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/v1/crypto/wallets") {
      const offset = Number(searchParams.get("offset"));
      return answered(listOf(wallets).slice(offset, offset + 100));
    }
    const [, address = "", what] = /^\/v1\/crypto\/wallets\/([^/]+)\/(balance|history)$/.exec(pathname) ?? [];
    const one = byAddress.get(decodeURIComponent(address).toLowerCase());
    const place = one?.places.find(({ network }) => network === searchParams.get("network"));
    if (one === undefined || place === undefined) return null;
    if (wallets.indexOf(one) % 3 === 0 && !refused.has(`${pathname} ${place.network}`)) {
      refused.add(`${pathname} ${place.network}`);
      return Response.json({ message: "not now", ...ODD_FIELDS }, { status: 422 });
    }
    if (what === "balance")
      return answered(
        repeated(
          place.held.map((held) => ({ address, decimals: 18, ...held, ...ODD_FIELDS })),
          (held) => ({ ...held, balance: `0${held.balance}0` }),
        ),
      );
    const isAsked = searchParams.get("page") === "0" && !searchParams.has("tokenAddress");
    const told = place.moved.map((moving, nth) => entryOf(place.network, address, moving, nth));
    return answered(isAsked ? repeated(told, respelt) : []);
  };
}

const total = (amounts: readonly string[]) => decimalOf(amounts.reduce((sum, one) => sum + unitsOf(one), 0n));

/** By network and asset, each address once. */
export function heldIn(wallets: readonly OddWallet[]): Record<string, string> {
  const amounts = new Map<string, string[]>();
  for (const { network, held } of wallets.flatMap(({ places }) => places))
    for (const { asset, balance } of held)
      amounts.set(`${network} ${asset}`, [...(amounts.get(`${network} ${asset}`) ?? []), balance]);
  return Object.fromEntries([...amounts].map(([key, all]) => [key, total(all)]));
}

/** A line for each expected movement of a file: where, direction, amount and whether it counts. */
export const movedIn = (wallets: readonly OddWallet[]): string[] =>
  wallets.flatMap(({ places }) =>
    places.flatMap(({ network, moved: all }) =>
      all.map(({ hash, amount, isOut, state }) =>
        [network, hash.slice(2), isOut ? "out" : "in", total([amount]), state === "confirmed" ? "yes" : "no"].join(" "),
      ),
    ),
  );
