import type { Denial } from "./denial";
import { type ErrorKind, type Holder, isRefusal, type Issue, SILENT, type Standing } from "./result";

export type AppErrorDetails = {
  status?: number;
  /** The gateway's `error`, or one of ours (`case-changed`). */
  code?: string;
  requestId?: string;
  since?: string;
  /** SHA-256 in hex of the answer as received. */
  answerHash?: string;
  /** The provider's `message`: for people, shown as text. */
  providerMessage?: string;
  antifraudId?: string;
  pendingExpiresAt?: string;
  retryAfterMs?: number;
  current?: Standing;
  holder?: Holder | null;
  decided?: "APPROVED" | "REPROVED";
  issues?: readonly Issue[];
  /** Such a write is never repeated automatically. */
  mayHaveExecuted?: boolean;
  cause?: unknown;
};

const BRAND = Symbol.for("retaguarda.bank-error");

/** The digest survives to the error screen, the message does not. */
export class AppError extends Error {
  override name = "AppError";
  readonly [BRAND] = true;
  readonly digest: string;

  // The build holds this class more than once (screens, boot), and one provider serves them all.
  static override [Symbol.hasInstance](value: unknown): value is AppError {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  constructor(
    readonly kind: ErrorKind,
    readonly details: AppErrorDetails = {},
  ) {
    super(`${kind}${details.status === undefined ? "" : ` (HTTP ${details.status})`} ${details.code ?? ""}`.trim(), {
      cause: details.cause,
    });
    const since = details.since === undefined ? "" : `@${Date.parse(details.since)}`;
    const refusal = isRefusal(details.code) || details.code === SILENT ? `/${details.code}${since}` : "";
    this.digest = `bank:${kind}${refusal}:${details.requestId ?? details.code ?? "-"}`;
  }
}

/** Of one field of a form, in `fields` of the messages. */
export const invalidField = (name: string, code: string): AppError =>
  new AppError("invalid", { issues: [{ path: [name], params: { code } }] });

export function refuse(denial: Denial | null): void {
  if (denial !== null) throw new AppError(denial.kind, { code: denial.code });
}
