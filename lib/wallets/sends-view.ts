import type { Network } from "@/lib/contract/crypto";
import type { SendState, WalletUse } from "@/lib/db/enums/wallets";
import type { Told } from "@/lib/errors/result";
import type { Fresh } from "@/lib/text/page";
import type { ChainCandidate, SentHash, SentOrder } from "./view";

export { SEND_STATES, type SendState } from "@/lib/db/enums/wallets";

export const SEND_VIEWS = ["all", "waiting", "open", "done", "apart"] as const;
export type SendView = (typeof SEND_VIEWS)[number];

/** What is apart is no part of a sum. */
export const STATES_OF_VIEW = {
  waiting: ["WAITING"],
  open: ["SENDING", "HELD", "UNKNOWN"],
  done: ["DONE"],
  apart: ["BLOCKED", "REFUSED", "REJECTED", "NOT_SENT"],
} as const satisfies Record<Exclude<SendView, "all">, readonly SendState[]>;

export const UNSENT_CAUSES = ["withdrawn", "expired", "said", "stopped"] as const;
type UnsentCause = (typeof UNSENT_CAUSES)[number];

/** `walletId` null: no wallet here has the address. */
export type SendParty = { address: string; walletId: string | null; label: string | null; use: WalletUse | null };

export type SendRow = {
  /** Of the intent. */
  id: string;
  state: SendState;
  /** Why nothing was sent; null of every other state. */
  cause: UnsentCause | null;
  from: SendParty;
  /** Null where the order does not open. */
  order: SentOrder | null;
  token: string | null;
  to: SendParty | null;
  byName: string;
  isMine: boolean;
  at: string;
  hash: SentHash | null;
};

/** Exact decimals of one asset on one network: left, may leave or have left, and what is apart. */
export type SendSum = {
  network: Network;
  asset: string;
  token: string | null;
  done: string;
  open: string;
  apart: string;
};

export type SendSums = {
  rows: SendSum[];
  /** How many are no part of the sums: refused, rejected or not sent. */
  apart: number;
  /** How many have an amount that nothing here can read. */
  unread: number;
};

export type SendList = Fresh & {
  rows: SendRow[];
  older: string | null;
  newer: string | null;
  counts: Record<SendView, number>;
  sums: SendSums;
  /** What can be chosen from. */
  people: { id: string; name: string }[];
  wallets: { id: string; name: string }[];
  networks: Network[];
  assets: string[];
};

export const SEND_EVENT_KINDS = [
  "proposed",
  "authorised",
  "rejected",
  "withdrawn",
  "expired",
  "stopped",
  "sent",
  "done",
  "seenDone",
  "held",
  "refused",
  "blocked",
  "seenRefused",
  "unconfirmed",
  "excluded",
  "concluded",
  "contradicted",
] as const;
export type SendEventKind = (typeof SEND_EVENT_KINDS)[number];

export type SendEvent = {
  kind: SendEventKind;
  at: string;
  /** Null: the system, or the provider. */
  byName: string | null;
  isMine: boolean;
};

export type HeldThen = { amount: string; at: string };

export type SendRecord = {
  row: SendRow;
  /** The request from which it came, where the reader may open it. */
  requestId: string | null;
  authorisedBy: string | null;
  /** Why a second person rejected it, for who may open the request. */
  reason: string | null;
  told: Told | null;
  /** How its call ended where the provider neither confirmed nor refused; null otherwise. */
  ending: Pick<Told, "code" | "status"> | null;
  said: string | null;
  antifraudId: string | null;
  until: string | null;
  /** In the chain's history, where its hash is kept there. */
  onChain: { at: string | null; block: string | null } | null;
  /** In the network's coin, as the provider tells it, else derived from two readings of the balance; null where one of them is missing. */
  fee: { amount: string; isTold: boolean } | null;
  /** As last read before it was sent. */
  before: {
    head: { hash: string; at: string } | null;
    /** Of the network's coin, and of the asset that was sent; null where it was not read. */
    held: HeldThen | null;
    heldAsset: HeldThen | null;
  };
  /** What the wallet holds of the sent asset, as it was read after the send; null: not read since. */
  heldSince: HeldThen | null;
  candidates: ChainCandidate[];
  isSaid: boolean;
  isContradicted: boolean;
  needsPerson: boolean;
  /** The proposal by which somebody says what became of it. */
  conclusionId: string | null;
  /** The reference under which the provider was asked. */
  callId: string | null;
  /** Oldest first. */
  events: SendEvent[];
  asOf: string;
};
