import { COINS } from "@/lib/contract/coins";
import type { Db, Tx } from "@/lib/db/connection";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import type { CoinOrder } from "./fingerprint";
import { heldOf } from "./sending";
import type { SendHints } from "./view";
import { tokenOf } from "./xrpl-token";

type Hinting = { tenant: string; walletId: string; order: Omit<CoinOrder, "to" | "fromAddress"> };

export async function hintsOf(store: Db | Tx, { tenant, walletId, order }: Hinting): Promise<SendHints> {
  const { network, amount } = order;
  const token = tokenOf(order) ?? "";
  const read = await heldOf(store, tenant, { walletId, network, token });
  const coin = token === "" ? read : await heldOf(store, tenant, { walletId, network, token: "" });
  const balance = read.held?.balance ?? null;
  const rest = balance !== null && isDecimal(balance) ? unitsOf(balance) - unitsOf(amount) : null;
  return {
    balance,
    asOf: read.asOf,
    rest: rest === null ? null : decimalOf(rest),
    fee: { coin: COINS[network], balance: coin.held?.balance ?? null },
    isAll: token === "" && rest === 0n,
    isOfToken: token !== "",
    hasReserve: network === "XRPL" && token === "",
  };
}
