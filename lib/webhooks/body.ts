/** Why a body is not taken. */
export type BodyFault = "too-large" | "too-slow" | "cut";

type Bounds = {
  mostBytes: number;
  /** Aborted when the time for all of it is over. */
  expired: AbortSignal;
};

/** The raw bytes of a body, counted as they come: what its head says of its length is not believed. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  { mostBytes, expired }: Bounds,
): Promise<Uint8Array | BodyFault> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const over = new Promise<"too-slow">((resolve) => {
    if (expired.aborted) resolve("too-slow");
    expired.addEventListener("abort", () => resolve("too-slow"), { once: true });
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const end = (fault: BodyFault): BodyFault => {
    // Not waited for: a stream that stalls is left only when its sender moves again.
    void Promise.allSettled([reader.cancel()]);
    return fault;
  };
  for (;;) {
    const [read] = await Promise.allSettled([Promise.race([reader.read(), over])]);
    if (read.status === "rejected") return end("cut");
    if (read.value === "too-slow") return end("too-slow");
    if (read.value.done) break;
    bytes += read.value.value.byteLength;
    if (bytes > mostBytes) return end("too-large");
    chunks.push(read.value.value);
  }
  return Buffer.concat(chunks);
}
