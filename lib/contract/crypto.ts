import { z } from "zod";
import {
  CryptoAmount,
  CryptoSum,
  Identifier,
  known,
  messageEnvelope,
  numberOrNull,
  OptionalText,
  queryInteger,
  Required,
  TextOrEmpty,
  unused,
} from "@/lib/contract/shared";

export const CHAIN_FAMILIES = ["EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const;
export type ChainFamily = (typeof CHAIN_FAMILIES)[number];
export const NETWORKS = ["ETHEREUM", "POLYGON", "BSC", "BITCOIN", "TRON", "SOLANA", "XRPL"] as const;
export type Network = (typeof NETWORKS)[number];

/** One EVM address serves three networks; every other family has one. */
export const FAMILY_NETWORKS: Readonly<Record<ChainFamily, readonly Network[]>> = {
  EVM: ["ETHEREUM", "POLYGON", "BSC"],
  BTC: ["BITCOIN"],
  TRON: ["TRON"],
  SOLANA: ["SOLANA"],
  XRPL: ["XRPL"],
};

/** Whether an answer's wallet forwards what it receives: 1 or 0, null when the provider does not say. */
const ForwardState = z.preprocess((wire) => (typeof wire === "boolean" ? Number(wire) : wire), numberOrNull("integer"));

const ForwardFlag = z.union([z.literal(0), z.literal(1)], { error: "must be 0 or 1" });

/** Body of POST /v1/crypto/wallets. */
export const CreateWallet = z.looseObject({
  network: z.enum(CHAIN_FAMILIES),
  userId: Required.optional(),
  isForwardPayment: ForwardFlag.optional(),
});
export type CreateWallet = z.infer<typeof CreateWallet>;

/** Answer of POST /v1/crypto/wallets, 200. */
export const WalletCreated = messageEnvelope(
  z.looseObject({
    walletId: Identifier,
    address: Identifier,
    network: known(CHAIN_FAMILIES),
    coin: TextOrEmpty,
    isForwardPayment: ForwardState,
  }),
);
export type WalletCreated = z.infer<typeof WalletCreated>;

/** Body of POST /v1/crypto/checkout/address. */
export const CreateCheckoutAddress = z.looseObject({
  network: z.enum(CHAIN_FAMILIES),
  reference: z.string().optional(),
});

/** Answer of POST /v1/crypto/checkout/address, 200. */
export const CheckoutAddress = messageEnvelope(
  z.looseObject({ address: Identifier, network: known(CHAIN_FAMILIES), reference: TextOrEmpty }),
);
export type CheckoutAddress = z.infer<typeof CheckoutAddress>;

/** Query of GET /v1/crypto/wallets. */
export const WalletsQuery = z.looseObject({
  network: z.enum(CHAIN_FAMILIES).optional(),
  status: z.string().optional(),
  limit: queryInteger(1, 500).default(50),
  offset: queryInteger(0, 999_999_999).default(0),
});

/** ACTIVE is the only one the interface has seen. */
export const WALLET_STATUSES = ["ACTIVE"] as const;
export type WalletStatus = (typeof WALLET_STATUSES)[number];

export const Wallet = z.looseObject({
  id: Identifier,
  clientId: unused("string"),
  network: known(CHAIN_FAMILIES),
  address: Identifier,
  coin: TextOrEmpty,
  status: known(WALLET_STATUSES),
  isForwardPayment: ForwardState,
  createdAt: TextOrEmpty,
});
export type Wallet = z.infer<typeof Wallet>;

/** Answer of GET /v1/crypto/wallets, 200. */
export const Wallets = messageEnvelope(z.array(Wallet));
export type Wallets = z.infer<typeof Wallets>;

/** Query of GET /v1/crypto/wallets/{address}/balance. */
export const WalletBalanceQuery = z.looseObject({ network: z.enum(NETWORKS), tokenAddress: z.string().optional() });

/** `balance` is a decimal string in units of the asset, unless a tenant's setting says otherwise (`lib/wallets/held.ts`); `type` is `native` on the native coin's entry only. */
export const BalanceEntry = z.looseObject({
  address: TextOrEmpty,
  asset: TextOrEmpty,
  decimals: numberOrNull("integer"),
  balance: CryptoSum,
  type: OptionalText,
  tokenAddress: OptionalText,
});
export type BalanceEntry = z.infer<typeof BalanceEntry>;

/** Answer of GET /v1/crypto/wallets/{address}/balance, 200. */
export const WalletBalance = messageEnvelope(z.array(BalanceEntry));
export type WalletBalance = z.infer<typeof WalletBalance>;

/** Query of GET /v1/crypto/wallets/{address}/history; `page` is 0-based, `pageSize` 50 by default. */
export const WalletHistoryQuery = z.looseObject({
  network: z.enum(NETWORKS),
  page: queryInteger(0, 1_000_000).default(0),
  pageSize: queryInteger(1, 500).default(50),
  tokenAddress: z.string().optional(),
});

/** `timestamp` in epoch milliseconds, or none yet (`lib/wallets/chain-time.ts`); `incoming` is the one documented subtype. */
export const ChainEntry = z.looseObject({
  chain: TextOrEmpty,
  hash: TextOrEmpty,
  address: TextOrEmpty,
  blockNumber: unused("integer"),
  amount: CryptoSum,
  transactionSubtype: TextOrEmpty,
  counterAddress: TextOrEmpty,
  timestamp: unused("integer"),
});
export type ChainEntry = z.infer<typeof ChainEntry>;

/** What an entry tells beyond the interface, where it does; empty where it does not, or not in words. */
export const EntryTelling = z.object({
  asset: TextOrEmpty.catch(""),
  tokenAddress: TextOrEmpty.catch(""),
  fee: CryptoSum.catch(""),
});

/** Answer of GET /v1/crypto/wallets/{address}/history, 200. */
export const WalletHistory = messageEnvelope(z.array(ChainEntry));
export type WalletHistory = z.infer<typeof WalletHistory>;

/** Body of POST /v1/crypto/transfer. */
export const CryptoTransfer = z.looseObject({
  network: z.enum(NETWORKS),
  fromAddress: Required,
  to: Required,
  amount: CryptoAmount,
  tokenAddress: z.string().optional(),
  decimals: z.number().int().min(0).max(40).optional(),
  networkId: z.string().optional(),
  currency: z.string().optional(),
  issuer: z.string().optional(),
});
export type CryptoTransfer = z.infer<typeof CryptoTransfer>;

/** Answer of POST /v1/crypto/transfer, 200. */
export const CryptoTransferSent = messageEnvelope(z.looseObject({ txHash: Identifier }));
export type CryptoTransferSent = z.infer<typeof CryptoTransferSent>;
