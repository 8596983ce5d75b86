import type { Network } from "@/lib/contract/crypto";
import { shortAddress } from "@/lib/text/short";
import type { AssetBalance } from "@/lib/wallets/queries";
import type { ReadTrouble } from "@/lib/wallets/view";
import { COINS, isCoin } from "@/lib/contract/coins";

export type KnownNetwork = {
  network: Network;
  asOf: string | null;
  trouble: ReadTrouble | null;
  balances: AssetBalance[];
};

type Choice = { token: string; asset: string; held: AssetBalance | null };

/** The network's coin, and each token that the wallet holds. */
export function choicesOf({ network, balances }: KnownNetwork): Choice[] {
  const coin = { token: "", asset: COINS[network], held: balances.find((one) => isCoin(network, one)) ?? null };
  const tokens = balances.flatMap((held) => {
    const { tokenAddress, asset, balance } = held;
    return (tokenAddress ?? "") === "" || !/[1-9]/.test(balance)
      ? []
      : [{ token: tokenAddress ?? "", asset: asset === "" ? shortAddress(tokenAddress ?? "") : asset, held }];
  });
  return [coin, ...tokens];
}

export type SendFields = { network: Network | ""; token: string; to: string; amount: string };

export const FIELDS = ["network", "token", "to", "amount"] as const;
type FieldName = (typeof FIELDS)[number];
export type Errors = Partial<Record<FieldName, string>>;

/** The form's field for each field name of the provider. */
const SAID_BY: Readonly<Record<string, FieldName>> = {
  tokenAddress: "token",
  decimals: "token",
  fromAddress: "network",
};

export function errorsOf(fields: Readonly<Record<string, string>> = {}): Errors {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, said]) => {
      const field = FIELDS.find((one) => one === (SAID_BY[name] ?? name));
      return field === undefined ? [] : [[field, said]];
    }),
  );
}
