import { z } from "zod";
import { CryptoAmount, known, messageEnvelope, queryInteger, Required } from "@/lib/contract/shared";

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
    walletId: z.string().min(1),
    address: z.string().min(1),
    network: known(CHAIN_FAMILIES),
    coin: z.string(),
    isForwardPayment: z.number().int(),
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
  z.looseObject({ address: z.string().min(1), network: known(CHAIN_FAMILIES), reference: z.string() }),
);
export type CheckoutAddress = z.infer<typeof CheckoutAddress>;

/** Query of GET /v1/crypto/wallets. */
export const WalletsQuery = z.looseObject({
  network: z.enum(CHAIN_FAMILIES).optional(),
  status: z.string().optional(),
  limit: queryInteger(1, 500).default(50),
  offset: queryInteger(0, 999_999_999).default(0),
});

/** A wallet as listed; ACTIVE is the only status the interface has seen. */
export const Wallet = z.looseObject({
  id: z.string().min(1),
  clientId: z.string(),
  network: known(CHAIN_FAMILIES),
  address: z.string().min(1),
  coin: z.string(),
  status: known(["ACTIVE"]),
  isForwardPayment: z.number().int(),
  createdAt: z.string(),
});
export type Wallet = z.infer<typeof Wallet>;

/** Answer of GET /v1/crypto/wallets, 200. */
export const Wallets = messageEnvelope(z.array(Wallet));
export type Wallets = z.infer<typeof Wallets>;

/** Query of GET /v1/crypto/wallets/{address}/balance. */
export const WalletBalanceQuery = z.looseObject({ network: z.enum(NETWORKS), tokenAddress: z.string().optional() });

/** `balance` is a decimal string in units of the asset; `type` is `native` on the native coin's entry only. */
export const BalanceEntry = z.looseObject({
  address: z.string(),
  asset: z.string(),
  decimals: z.number().int(),
  balance: z.string(),
  type: z.string().optional(),
  tokenAddress: z.string().optional(),
});
export type BalanceEntry = z.infer<typeof BalanceEntry>;

/** Answer of GET /v1/crypto/wallets/{address}/balance, 200. */
export const WalletBalance = messageEnvelope(z.array(BalanceEntry));
export type WalletBalance = z.infer<typeof WalletBalance>;

/** Query of GET /v1/crypto/wallets/{address}/history; `page` is 0-based, `pageSize` 50 unless told. */
export const WalletHistoryQuery = z.looseObject({
  network: z.enum(NETWORKS),
  page: queryInteger(0, 1_000_000).default(0),
  pageSize: queryInteger(1, 500).default(50),
  tokenAddress: z.string().optional(),
});

/** `timestamp` in epoch milliseconds; `incoming` is the one documented subtype. */
export const ChainEntry = z.looseObject({
  chain: z.string(),
  hash: z.string(),
  address: z.string(),
  blockNumber: z.number().int(),
  amount: z.string(),
  transactionSubtype: z.string(),
  counterAddress: z.string(),
  timestamp: z.number().int(),
});
export type ChainEntry = z.infer<typeof ChainEntry>;

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
export const CryptoTransferSent = messageEnvelope(z.looseObject({ txHash: z.string().min(1) }));
export type CryptoTransferSent = z.infer<typeof CryptoTransferSent>;
