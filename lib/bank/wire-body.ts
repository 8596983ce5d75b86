import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { WireErrorCode } from "./wire";

/** What became of a body; `reason` is the system's own code. */
export type Body = { text: string } | { code: WireErrorCode; reason: string | null };

/** Four times the usual: each piece is a turn of zlib's own threads. */
const PIECE = { chunkSize: 64 * 1024 };

const INFLATERS = new Map([
  ["gzip", () => createGunzip(PIECE)],
  ["x-gzip", () => createGunzip(PIECE)],
  ["deflate", () => createInflate(PIECE)],
  ["br", () => createBrotliDecompress(PIECE)],
]);

export type Reading = {
  maxBytes: number;
  /** Something came, or was unpacked: that may take longer than the coming, and is nobody's pause. */
  onPiece: () => void;
  /** May be called more than once: the first call holds. */
  settle: (body: Body) => void;
};

export const reasonOf = (error: unknown): string | null =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;

/** Reads at most `maxBytes` of what is no longer packed. */
function gather(stream: Readable, { maxBytes, onPiece, settle }: Reading): void {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream.on("data", (chunk: Buffer) => {
    onPiece();
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
 * the same: gzip, deflate and br are undone, and `maxBytes` counts what comes out.
 */
export function readBody(answer: IncomingMessage, reading: Reading): void {
  const { settle, onPiece } = reading;
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  answer.on("error", (error) => settle({ code: "answer-cut-off", reason: reasonOf(error) }));
  if (coding === "identity" || coding === "" || isEmpty(answer)) return gather(answer, reading);
  const createInflater = INFLATERS.get(coding);
  if (createInflater === undefined) return settle({ code: "answer-not-readable", reason: null });
  const inflated = createInflater();
  answer.on("data", onPiece);
  gather(inflated, reading);
  // The pipeline stops listening when it ends, but zlib may fail later.
  inflated.on("error", (error) => settle({ code: "answer-not-readable", reason: reasonOf(error) }));
  pipeline(answer, inflated, () => {});
}
