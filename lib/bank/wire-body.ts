import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { WireErrorCode } from "./wire";

/** What became of a body; `reason` is the system's own code. */
export type Body = { text: string } | { code: WireErrorCode; reason: string | null };

const INFLATERS = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

export const reasonOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** Reads at most `maxBytes` of what is no longer packed. */
function gather(stream: Readable, maxBytes: number, settle: (body: Body) => void): void {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) {
      chunks.length = 0;
      settle({ code: "answer-too-large", reason: null });
      stream.destroy();
    } else chunks.push(chunk);
  });
  stream.once("end", () => {
    const [only] = chunks;
    const whole = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, sizeBytes);
    settle({ text: whole.toString("utf8") });
  });
}

/** A packed nothing is nothing too: there is no end of the packing to look for. */
const isEmpty = ({ statusCode, headers }: IncomingMessage) =>
  statusCode === 204 || statusCode === 304 || headers["content-length"] === "0";

/**
 * Reads an answer's body, as UTF-8 whatever its charset. It is asked for plain, but what stands between may pack it all
 * the same: gzip, deflate and br are undone, and `maxBytes` counts what comes out. `settle` may be called more than once:
 * the first call holds.
 */
export function readBody(answer: IncomingMessage, maxBytes: number, settle: (body: Body) => void): void {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  answer.on("error", (error) => settle({ code: "answer-cut-off", reason: reasonOf(error) }));
  if (coding === "identity" || coding === "" || isEmpty(answer)) return gather(answer, maxBytes, settle);
  const createInflater = INFLATERS.get(coding);
  if (createInflater === undefined) return settle({ code: "answer-not-readable", reason: null });
  const inflated = createInflater();
  gather(inflated, maxBytes, settle);
  // The pipeline stops listening when it ends, but zlib may fail later.
  inflated.on("error", (error) => settle({ code: "answer-not-readable", reason: reasonOf(error) }));
  pipeline(answer, inflated, () => {});
}
