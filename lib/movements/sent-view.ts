import type { TransferRow, TransferState } from "@/lib/transfers/view";
import type { SendRow, SendSum } from "@/lib/wallets/sends-view";
import type { Page } from "@/lib/text/page";

export const SENT_KINDS = ["INTERNAL", "EXTERNAL", "COINS"] as const;

/** `apart`: refused, blocked, rejected or not sent; `returned`: reais that came back. */
export const SENT_STAGES = ["waiting", "open", "done", "returned", "apart"] as const;
export type SentStage = (typeof SENT_STAGES)[number];

export const TRANSFERS_AT = {
  waiting: ["WAITING"],
  open: ["SENDING", "HELD", "ACCEPTED", "UNKNOWN"],
  done: ["CONFIRMED"],
  returned: ["RETURNED"],
  apart: ["BLOCKED", "REFUSED", "DECLINED", "WITHDRAWN", "EXPIRED", "FAILED"],
} as const satisfies Record<SentStage, readonly TransferState[]>;

export type SentRow = { kind: "reais"; row: TransferRow } | { kind: "coins"; row: SendRow };

/** Exact decimals of one asset: left, what may leave or have left, and what came back; `coin` absent for reais. */
export type SentSum = Pick<SendSum, "done" | "open"> & {
  returned: string;
  coin?: Pick<SendSum, "network" | "asset" | "token">;
};

export type SentSums = {
  rows: SentSum[];
  /** How many are in no sum: refused, blocked, rejected or not sent. */
  apart: number;
  /** How many have an amount that nothing here can read. */
  unread: number;
};

export type SentList = Page<SentRow> & {
  sums: SentSums;
  people: { id: string; name: string }[];
  /** False: the reader may see transfers in reais alone. */
  hasCoins: boolean;
};
