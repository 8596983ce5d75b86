import { COINS, isCoin } from "@/lib/contract/coins";
import type { ChainFamily, Network, WalletStatus } from "@/lib/contract/crypto";
import type { Page } from "@/lib/text/page";
import type { ReportedField } from "@/lib/text/reported-fields";
import type { SafeLink } from "@/lib/text/safe-link";
import { WALLET_USES, type WalletRequestKind, type WalletUse } from "@/lib/db/enums/wallets";

export const OTC_FIELDS = [
  "id",
  "status",
  "side",
  "asset",
  "network",
  "tokenAddress",
  "quantity",
  "price",
  "total",
  "currency",
  "createdAt",
  "settledAt",
  "clientId",
] as const;
export type OtcField = (typeof OTC_FIELDS)[number];

/** As the provider answered at `asOf`; unknown fields have no name. */
export type OtcTrade = { id: string; fields: ReportedField<OtcField>[]; asOf: string };

export const FAMILY_NAMES = ["EVM", "BTC", "TRON", "SOLANA", "XRPL"] as const satisfies readonly ChainFamily[];

export const NETWORK_NAMES = [
  "ETHEREUM",
  "POLYGON",
  "BSC",
  "BITCOIN",
  "TRON",
  "SOLANA",
  "XRPL",
] as const satisfies readonly Network[];

export const REFERENCE_MAX = 100;

/** `address` null: a person settled it as made without naming a wallet. */
export type MadeWallet = { intentId: string; family: ChainFamily; walletId: string | null; address: string | null };

/** With the same reference and family. */
export type EarlierAddress = { address: string; at: string };

export type WalletCandidate = { walletId: string; address: string; firstSeenAt: string };

export type UnconfirmedWallet = {
  intentId: string;
  kind: WalletRequestKind;
  family: ChainFamily;
  isForward: boolean;
  /** Null: none was given, or it does not open (`isUnopened`). */
  reference: string | null;
  customer: string | null;
  isUnopened: boolean;
  byName: string;
  at: string;
  isSending: boolean;
  candidates: WalletCandidate[];
  /** The list was read long enough after sending, without a candidate. */
  isNotFound: boolean;
};

export type DepositAddress = {
  intentId: string;
  family: ChainFamily;
  address: string;
  /** In the list of wallets; null until the watch has seen it. */
  walletId: string | null;
  reference: string | null;
  customer: string | null;
  isUnopened: boolean;
  byName: string;
  at: string;
};

/** The reference and the customer for whom it was made here. */
export type WalletOrigin = Pick<DepositAddress, "reference" | "customer" | "isUnopened" | "byName" | "at">;

export const WALLET_TONES: Readonly<Record<WalletStatus, "positive" | "negative">> = { ACTIVE: "positive" };
export const isWalletStatus = (status: string): status is WalletStatus => Object.hasOwn(WALLET_TONES, status);

export const LABEL_MAX = 60;

type WalletUseTold = { use: WalletUse | null; isForwardPayment: boolean | null; userId: string | null };

/** No label makes a user's wallet the company's own. */
export const isOverruled = ({ use, userId }: Pick<WalletUseTold, "use" | "userId">): boolean =>
  use === "own" && userId !== null;

/** Finance's label, else the provider's, null when neither gives one. */
export function useOf({ use, isForwardPayment, userId }: WalletUseTold): WalletUse | null {
  if (use !== null && !isOverruled({ use, userId })) return use;
  if (isForwardPayment === true) return "checkout";
  if (userId !== null) return "customer";
  return null;
}

/** The uses in lists and filters: `untold` when neither finance nor the provider gives one. */
export const LISTED_USES = [...WALLET_USES, "untold"] as const;
type ListedUse = (typeof LISTED_USES)[number];

export const listedUse = (use: WalletUse | null): ListedUse => use ?? "untold";

export const sameAsset = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const HOLDINGS = ["some", "dust", "zero", "unread"] as const;
export type HoldingFilter = (typeof HOLDINGS)[number];

/** Within how many days a wallet moved last. */
export const MOVED_DAYS = { day: 1, week: 7, month: 30 } as const;
export const MOVED = ["day", "week", "month"] as const satisfies readonly (keyof typeof MOVED_DAYS)[];

export const isMoved = (word: string): word is (typeof MOVED)[number] => MOVED.some((one) => one === word);

/** Since which civil day of São Paulo, counted back from today, a wallet received from somebody else. */
export const RECEIVED_SINCE = { "received-today": 0, "received-week": 6, "received-month": 29 } as const;
export const RECEIVED = [
  "received-today",
  "received-week",
  "received-month",
] as const satisfies readonly (keyof typeof RECEIVED_SINCE)[];

/** Where a transaction is shown to anybody; the hash follows. */
export const EXPLORERS: Readonly<Record<Network, { host: string; path: string }>> = {
  ETHEREUM: { host: "etherscan.io", path: "/tx/" },
  POLYGON: { host: "polygonscan.com", path: "/tx/" },
  BSC: { host: "bscscan.com", path: "/tx/" },
  BITCOIN: { host: "mempool.space", path: "/tx/" },
  TRON: { host: "tronscan.org", path: "/#/transaction/" },
  SOLANA: { host: "solscan.io", path: "/tx/" },
  XRPL: { host: "livenet.xrpl.org", path: "/transactions/" },
};

const HASH = /^[\dA-Za-z]{16,128}$/;

/** Null for an invalid hash. */
export function explorerLink(network: Network, hash: string): SafeLink | null {
  if (!HASH.test(hash)) return null;
  const { host, path } = EXPLORERS[network];
  return { href: `https://${host}${path}${hash}`, host };
}

/** Why a balance is flagged: `no-smallest` when the setting says smallest units. */
export const DOUBTS = ["above-supply", "no-smallest", "told-twice"] as const;
export type Doubt = (typeof DOUBTS)[number];

const MIDDLE = 6;

/** An attacker chooses a look-alike's ends, so the middle is compared. */
export function middleOf(address: string): { from: number; to: number; text: string } {
  const from = Math.floor((address.length - MIDDLE) / 2);
  return { from, to: from + MIDDLE, text: address.slice(from, from + MIDDLE) };
}

/** Base58 addresses are case-sensitive; hex and bech32 are not. */
const hasCase = (address: string) => !/^(?:0x|bc1)/i.test(address);

export function isMiddleSix(address: string, typed: string): boolean {
  const { text } = middleOf(address);
  const given = typed.trim();
  return hasCase(address) ? text === given : text.toLowerCase() === given.toLowerCase();
}

/** A similar transfer of this many last days is shown before another is sent. */
export const REPEAT_DAYS = 3;

export type RepeatedSend = {
  /** The order's intent, or the hash of a movement without an order here. */
  ref: string;
  at: string;
  byName: string | null;
  txHash: string | null;
};

export const LOOK_ALIKES_MAX = 20;
export const KNOWN_AS = ["paid", "ours", "saved", "history"] as const;

export type LookAlike = { address: string; as: (typeof KNOWN_AS)[number] };

export type Ours = {
  walletId: string;
  told: "customer" | "checkout" | "own" | "untold";
  label: string | null;
  labelled: { byName: string; at: string; isOfMaker: boolean; isRecent: boolean } | null;
};

/** The wallet's last reading for a transfer; balances are null when unknown. */
export type SendHints = {
  balance: string | null;
  asOf: string | null;
  /** Our other sends since the reading, with known fees; `held`: by antifraud, and not taken off. */
  left: { sum: string; count: number; remains: string | null } | null;
  held: { sum: string; count: number } | null;
  /** What remains after those and this transfer, before its fee; null when unknown. */
  rest: string | null;
  fee: { coin: string; balance: string | null };
  /** The whole balance of the network's coin, which must also pay the fee. */
  isAll: boolean;
  isOfToken: boolean;
  hasReserve: boolean;
  /** Other requests of this asset on this wallet; `short`: what all of them lack together, null when nothing is known to. */
  waiting: { sum: string; count: number; short: string | null } | null;
};

/** The transfer about to be sent, and its warnings. */
export type SendReview = {
  network: Network;
  amount: string;
  asset: string;
  tokenAddress: string | null;
  from: string;
  to: string;
  /** Our wallet with this address. */
  ours: Ours | null;
  /** No transfer to this address was confirmed here on this network. */
  isFirstUse: boolean;
  /** One was on these, whose addresses are the same. */
  elsewhere: Network[];
  alike: LookAlike[];
  needsApproval: boolean;
  /** The wallet's last known balance, when it is less. */
  over: { balance: string; asOf: string } | null;
  repeats: (RepeatedSend & { link: SafeLink | null })[];
  hints: SendHints;
};

export type SentHash = { txHash: string; link: SafeLink | null };

/** `hash` null: it was sent, and its answer was lost. */
export type SendAnswer =
  | { state: "PROPOSED"; approvalId: string }
  | { state: "HELD"; antifraudId: string | null; until: string | null }
  | { state: "DONE"; hash: SentHash | null };

/** The destination, amount and asset of an order of coins. */
export type SentOrder = { network: Network; to: string; amount: string; asset: string };

/** Sent by an order of ours; `order` null when it does not open, `hash` null when unknown. */
export type SentCoins = {
  intentId: string;
  order: SentOrder | null;
  byName: string;
  at: string;
  hash: SentHash | null;
  /** The request behind it, when the reader may open it. */
  requestId: string | null;
};

export type ChainCandidate = { id: string; at: string; link: SafeLink | null };

export type ProposedCoins = {
  asset: string;
  hash: SentHash | null;
  candidates: ChainCandidate[];
  hints: SendHints | null;
};

/** Not ended; `order` null when it does not open. */
export type OpenSend = {
  intentId: string;
  state: "WAITING" | "SENDING" | "UNKNOWN" | "HELD";
  approvalId: string | null;
  /** Whether the reader may see the proposal. */
  isShown: boolean;
  order: SentOrder | null;
  /** For a held one: its case and its deadline. */
  antifraudId: string | null;
  until: string | null;
  candidates: ChainCandidate[];
};

export type Direction = "in" | "out" | null;

const DIRECTIONS: Readonly<Record<string, Direction>> = { incoming: "in", outgoing: "out" };

/** Null for an unknown word, which is shown as it came. */
export const movementDirection = (subtype: string): Direction => DIRECTIONS[subtype.toLowerCase()] ?? null;

/** Before Bitcoin's first block nothing moved on any chain. */
export const FIRST_BLOCK = new Date("2009-01-03T00:00:00Z");

/** `undated`: in a block without a time; `dropped`: its network no longer returns it. */
export const MOVEMENT_STATES = ["confirmed", "unconfirmed", "undated", "failed", "dropped"] as const;
export type MovementState = (typeof MOVEMENT_STATES)[number];

/** Of what neither its entry nor a token's query tells: `only`: its network has one asset; `likely`: no token of it is known. */
export type AssetBasis = "told" | "only" | "likely" | "untold";

type OfAsset = { network: Network; tokenAddress: string | null; asset: string | null };

export function movedAsset(
  { network, tokenAddress, asset }: OfAsset,
  hasNoToken: boolean,
): { asset: string | null; basis: AssetBasis } {
  if (tokenAddress !== null || asset !== null) return { asset, basis: "told" };
  if (network === "BITCOIN") return { asset: COINS[network], basis: "only" };
  return hasNoToken ? { asset: COINS[network], basis: "likely" } : { asset: null, basis: "untold" };
}

/** Whether nothing says that it moved anything but its network's coin. */
export const mayBeCoin = ({ network, tokenAddress, asset }: OfAsset): boolean =>
  tokenAddress === null && (asset === null || isCoin(network, { asset }));

export type ChainMovement = {
  id: string;
  state: MovementState;
  status: string | null;
  network: Network;
  hash: string;
  subtype: string;
  direction: Direction;
  amount: string;
  /** Null when unknown. */
  asset: string | null;
  basis: AssetBasis;
  tokenAddress: string | null;
  counterparty: {
    address: string;
    walletId: string | null;
    label: string | null;
    use: WalletUse | null;
    /** For a small incoming amount: the paid address that its sender resembles. */
    poses: string | null;
  };
  blockNumber: string | null;
  at: string;
  /** In the native coin, of its transaction. */
  toldFee: string | null;
  derivedFee: string | null;
  explorer: SafeLink | null;
};

/** Why it was not read now. `put-off`: our own calls are spent until then, and none was made. */
export type ReadTrouble = { as: "failed" } | { as: "put-off"; until: string };

/** What all movements of an asset add up to, and how much more the balance was; decimals. */
export type HistoryGap = { asset: string; sum: string; difference: string };

type NetworkReading = {
  network: Network;
  asOf: string | null;
  isWhole: boolean;
  unread: number;
  trouble: ReadTrouble | null;
  /** `at`: when the balances were read that the movements until then do not add up to. */
  gaps: { at: string; of: HistoryGap[] } | null;
};

export type WalletHistory = Pick<Page<ChainMovement>, "rows" | "page" | "totalPages" | "total"> & {
  readings: NetworkReading[];
};

type BadRow = "unknown-wallet" | "many-wallets" | "repeated" | "unsaved" | "bad-columns";
export type LabelReport = {
  line: number;
  wallet: string;
  outcome: BadRow | "bad-use" | "of-user" | "bad-label" | "saved" | "same";
};
export type AddressReport = {
  line: number;
  address: string;
  outcome: BadRow | "bad-reference" | "bad-customer" | "saved" | "same" | "taken";
};
