/** Milliseconds, but for `maxBytes`, which counts the answer's body after inflating. */
export type Limits = { connectMs: number; firstByteMs: number; totalMs: number; maxBytes: number };

export type Outgoing = {
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  limits: Limits;
};

export type Incoming = { status: number; header: (name: string) => string | null; text: string };

/** One exchange with the provider; rejects with `WireError` alone. */
export type Wire = (call: Outgoing) => Promise<Incoming>;
