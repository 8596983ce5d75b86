export type BodyFault = "too-large" | "too-slow" | "cut";

type Bounds = { mostBytes: number; expired?: AbortSignal };

/** Counted as it arrives: its announced length is not trusted. */
export async function readCounted(
  body: ReadableStream<Uint8Array> | null,
  { mostBytes, expired }: Bounds,
): Promise<Uint8Array | BodyFault> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const over = new Promise<"too-slow">((resolve) => {
    if (expired?.aborted === true) resolve("too-slow");
    expired?.addEventListener("abort", () => resolve("too-slow"), { once: true });
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const end = (fault: BodyFault): BodyFault => {
    // Not awaited: a stalled stream ends only when its sender moves again.
    void reader.cancel().catch(() => undefined);
    return fault;
  };
  for (;;) {
    const read = await Promise.race([reader.read(), over]).catch((): BodyFault => "cut");
    if (typeof read === "string") return end(read);
    if (read.done) break;
    bytes += read.value.byteLength;
    if (bytes > mostBytes) return end("too-large");
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}
