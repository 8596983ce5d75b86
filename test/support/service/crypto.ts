import {
  type ChainFamily,
  CheckoutAddress,
  CryptoTransferSent,
  type Network,
  WalletBalance,
  WalletCreated,
  WalletHistory,
  Wallets,
} from "@/lib/contract/crypto";
import { AURORA, type Harness } from "./harness";
import type { Tenant } from "@/service/tenants/load-tenants";

type Fields = Record<string, unknown>;

/** Well-known tokens that every installation has from its start. */
export const ETHEREUM_USDT = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
export const XRPL_USD = { currency: "USD", issuer: "rvYAfWj5gh67oV6fW32ZzP3Aw4Eubs59B" };

/** Published addresses that no wallet of ours has. */
export const STRANGERS: Readonly<Record<Network, string>> = {
  ETHEREUM: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  POLYGON: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  BSC: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  BITCOIN: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  TRON: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  SOLANA: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
  XRPL: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
};

/** A tenant's wallet operations over HTTP; reads and successful orders are parsed by the contract. */
export function walletsOf(service: Harness, tenant: Tenant = AURORA) {
  const get = (path: string) => service.send("GET", path, { tenant });
  const post = (path: string, body: unknown) => service.send("POST", path, { tenant, body });
  const balance = (address: string, query: string) => get(`/v1/crypto/wallets/${address}/balance?network=${query}`);
  const history = (address: string, query: string) => get(`/v1/crypto/wallets/${address}/history?network=${query}`);
  const checkout = (body: Fields) => post("/v1/crypto/checkout/address", body);
  const transfer = (body: Fields) => post("/v1/crypto/transfer", body);
  return {
    balance,
    history,
    checkout,
    transfer,
    create: async (network: ChainFamily, wishes: Fields = {}) =>
      WalletCreated.parse((await post("/v1/crypto/wallets", { network, ...wishes })).body).data,
    list: async (query = "") => Wallets.parse((await get(`/v1/crypto/wallets${query}`)).body).data,
    balances: async (address: string, query: string) => WalletBalance.parse((await balance(address, query)).body).data,
    entries: async (address: string, query: string) => WalletHistory.parse((await history(address, query)).body).data,
    checkedOut: async (body: Fields) => CheckoutAddress.parse((await checkout(body)).body).data,
    sent: async (body: Fields) => CryptoTransferSent.parse((await transfer(body)).body).data,
    deposit: (body: Fields) => service.control("POST", "/sandbox/crypto/deposits", body),
    /** The address's balance of the native coin. */
    coins: async (address: string, network: Network) => {
      const [native] = WalletBalance.parse((await balance(address, network)).body).data;
      return native?.balance;
    },
  };
}

export type WalletsAtHand = ReturnType<typeof walletsOf>;
