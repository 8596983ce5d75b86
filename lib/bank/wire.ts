/**
 * Milliseconds, but for `maxBytes`, which counts the answer's body after inflating. `connectMs`: name, TCP and TLS.
 * `firstByteMs`: from the request's last byte to the end of the answer's head; a body may pause as long, 10 s at most.
 */
export type Limits = { connectMs: number; firstByteMs: number; totalMs: number; maxBytes: number };

export type Outgoing = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  limits: Limits;
  /** Over a connection of its own: a kept one may close just then, and nobody would know whether the request arrived. */
  isFresh?: boolean;
};

/** Any status, a redirect's too: none is followed. `header` takes lower-case names. */
export type Incoming = { status: number; header: (name: string) => string | null; text: string };

/** One exchange with the provider; rejects with `WireError` alone. */
export type Wire = (call: Outgoing) => Promise<Incoming>;

/**
 * `not-sent` it cannot be written as a request · `no-connection` refused, not found, not trusted or not in time ·
 * `no-answer` the connection ended, or the time did, before the answer's head · `answer-cut-off` before its end ·
 * `answer-too-slow` it paused or dripped beyond the limits · `answer-too-large` · `answer-not-readable` no HTTP, or
 * packed in a way that cannot be undone.
 */
export type WireErrorCode =
  | "not-sent"
  | "no-connection"
  | "no-answer"
  | "answer-cut-off"
  | "answer-too-slow"
  | "answer-too-large"
  | "answer-not-readable";

export class WireError extends Error {
  override name = "WireError";

  constructor(
    readonly code: WireErrorCode,
    /** False only when no byte of the request was handed to a connection. */
    readonly mayHaveExecuted: boolean,
    /** The system's own code (`ECONNREFUSED`). The error itself is dropped: some of them quote the answer. */
    readonly reason: string | null = null,
  ) {
    super(reason === null ? code : `${code} (${reason})`);
  }
}
