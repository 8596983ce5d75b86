import { isRefusal } from "@/lib/outage";
import type { ErrorKind, FieldIssue, Holder, Standing } from "@/lib/result";

export type BankErrorDetails = {
  /** HTTP status of the provider's answer. */
  status?: number;
  /** Stable identifier: the gateway's `error`, or one of ours (`case-changed`) that has its own sentence. */
  code?: string;
  requestId?: string;
  /** Since when the watches have met the same refusal, as the store knows (ISO). */
  since?: string;
  /** SHA-256 in hex of the provider's answer as it was received. */
  answerHash?: string;
  /** The provider's `message`: text for people, shown as text. */
  providerMessage?: string;
  antifraudId?: string;
  pendingExpiresAt?: string;
  retryAfterMs?: number;
  /** What the record is by now, when it changed before the write. */
  current?: Standing;
  /** Whose the record is, or who was there first; null: nobody. */
  holder?: Holder | null;
  /** What they decided. */
  decided?: "APPROVED" | "REPROVED";
  /** What is wrong with single fields, where only the store could tell. */
  issues?: readonly FieldIssue[];
  /** Whether the request may have reached the provider: a write that did is never sent again by itself. */
  mayHaveExecuted?: boolean;
  cause?: unknown;
};

const BRAND = Symbol.for("retaguarda.bank-error");

/** The one error between a person and the provider. Its digest survives to the error screen, its message does not. */
export class BankError extends Error {
  override name = "BankError";
  readonly [BRAND] = true;
  readonly digest: string;

  // The build holds this class more than once (screens, what runs at boot), and the one bank serves them all.
  static override [Symbol.hasInstance](value: unknown): value is BankError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(
    readonly kind: ErrorKind,
    readonly details: BankErrorDetails = {},
  ) {
    super(`${kind}${details.status === undefined ? "" : ` (HTTP ${details.status})`} ${details.code ?? ""}`.trim(), {
      cause: details.cause,
    });
    const since = details.since === undefined ? "" : `@${Date.parse(details.since)}`;
    const refusal = isRefusal(details.code) ? `/${details.code}${since}` : "";
    this.digest = `bank:${kind}${refusal}:${details.requestId ?? details.code ?? "-"}`;
  }
}

const KINDS: Readonly<Record<number, ErrorKind>> = {
  202: "held",
  400: "invalid",
  // The tenant's credentials were refused: nobody's session ended.
  401: "forbidden",
  402: "restricted",
  403: "forbidden",
  404: "not-found",
  405: "malformed",
  409: "conflict",
  412: "conflict",
  422: "invalid",
  429: "rate-limited",
};

/** Kind of a failed answer (interface: Errors › HTTP statuses). */
export function kindOf(status: number, code: string | undefined): ErrorKind {
  if (code === "TRANSACTION_BLOCKED") return "blocked";
  return KINDS[status] ?? (status >= 500 ? "unavailable" : "malformed");
}

const PROVIDER_TROUBLE: readonly ErrorKind[] = ["unavailable", "rate-limited", "restricted", "forbidden"];

/** Whether the failure is the provider's as a whole, so that asking for something else would fail alike. */
export function isProviderTrouble(kind: ErrorKind): boolean {
  return PROVIDER_TROUBLE.includes(kind);
}
