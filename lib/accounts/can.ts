import type { AccountStanding } from "@/lib/db/enums/accounts";
import { conflict } from "@/lib/errors/denial";
import { isZero } from "@/lib/text/format";

/** Amounts are decimal strings in reais. */
type Closable = {
  standing: AccountStanding;
  isProposed: boolean;
  isPending: boolean;
  hasTransfer: boolean;
  balance: string;
  blockedBalance: string;
};

type Begun = { state: "PENDING" | "READY" | "AUTHORISED" | "CLOSED" } | { state: "UNKNOWN"; isPending: boolean };

/** In order of display; an unknown value blocks nothing. */
const CLOSE = [
  { obstacle: "closed", code: "closing-closed", stands: ({ standing }) => standing === "CLOSED" },
  { obstacle: "proposed", code: "approval-open", stands: ({ isProposed = false }) => isProposed },
  { obstacle: "pending", code: "closing-pending", stands: ({ isPending = false }) => isPending },
  { obstacle: "transfer", code: "closing-transfer", stands: ({ hasTransfer = false }) => hasTransfer },
  { obstacle: "balance", code: "closing-balance", stands: ({ balance = "0" }) => !isZero(balance) },
  { obstacle: "blocked", code: "closing-blocked", stands: ({ blockedBalance = "0" }) => !isZero(blockedBalance) },
] as const satisfies { obstacle: string; code: string; stands: (account: Partial<Closable>) => boolean }[];

export type ClosingObstacle = (typeof CLOSE)[number]["obstacle"];

export const accountCan = {
  close: (account: Partial<Closable>) =>
    CLOSE.filter(({ stands }) => stands(account)).map(({ obstacle, code }) => ({ obstacle, denial: conflict(code) })),
  /** By what the account's page knows without asking the provider. */
  beginClosing: (closing: Begun | null, standing: AccountStanding): "closed" | "proposed" | "pending" | null => {
    if (standing === "CLOSED") return "closed";
    if (closing?.state !== "UNKNOWN") return closing === null ? null : "proposed";
    return closing.isPending ? "pending" : null;
  },
};
