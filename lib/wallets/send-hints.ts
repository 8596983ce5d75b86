import { readWaiting, type WaitingSum } from "@/lib/approvals/waiting";
import { COINS } from "@/lib/contract/coins";
import type { Db, Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import type { CoinOrder } from "./fingerprint";
import { readLeftSince } from "./left-since";
import { heldOf } from "./sending";
import type { SendHints } from "./view";
import { tokenOf } from "./xrpl-token";

/** `intentId`: the order's own request, which is none of those that wait beside it. */
type Hinting = {
  tenant: string;
  walletId: string;
  order: Omit<CoinOrder, "to" | "fromAddress">;
  asset: string;
  intentId: string | null;
  /** What waits on the wallet, where it was read already. */
  beside?: readonly WaitingSum[] | undefined;
};

const less = (balance: string | null, sum: string): bigint | null =>
  balance !== null && isDecimal(balance) ? unitsOf(balance) - unitsOf(sum) : null;

export async function hintsOf(
  store: Db | Tx,
  { tenant, walletId, order, asset, intentId, beside }: Hinting,
): Promise<SendHints> {
  const { network, amount } = order;
  const token = tokenOf(order) ?? "";
  const read = await heldOf(store, tenant, { walletId, network, token });
  const coin = token === "" ? read : await heldOf(store, tenant, { walletId, network, token: "" });
  const balance = read.held?.balance ?? null;
  const place = { tenant, walletId, network, exceptIntent: intentId };
  const { left, held } = await readLeftSince(store, { ...place, token, asOf: read.asOf });
  const remains = less(balance, left?.sum ?? "0");
  const rest = remains === null ? null : remains - unitsOf(amount);
  const coinLeft = token === "" ? null : (await readLeftSince(store, { ...place, token: "", asOf: coin.asOf })).left;
  const forFee = less(coin.held?.balance ?? null, coinLeft?.sum ?? "0");
  const sums = beside ?? (await readWaiting(store, { tenant, object: `wallet:${walletId}`, exceptIntent: intentId }));
  const waiting = sums.find((one) => one.network === network && one.asset === asset);
  const together = rest === null || waiting === undefined ? null : rest - unitsOf(waiting.sum);
  const short = together === null || together >= 0n ? null : decimalOf(-together);
  return {
    balance,
    asOf: read.asOf,
    left: left === null ? null : { ...left, remains: remains === null ? null : decimalOf(remains) },
    held,
    rest: rest === null ? null : decimalOf(rest),
    fee: {
      coin: COINS[network],
      balance:
        coinLeft === null || forFee === null ? (coin.held?.balance ?? null) : decimalOf(forFee < 0n ? 0n : forFee),
    },
    isAll: token === "" && rest === 0n,
    isOfToken: token !== "",
    hasReserve: network === "XRPL" && token === "",
    waiting: waiting === undefined ? null : { sum: waiting.sum, count: waiting.count, short },
  };
}
