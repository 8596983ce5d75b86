// @ts-check
import { IncomingMessage } from "node:http";

const MIB = 1024 * 1024;
/** Read from a refused body, so that its sender receives the answer. */
const LINGER_BYTES = 8 * MIB;
const LINGER_MS = 3_000;
/** The provider signs the raw bytes, so its route needs them unchanged. */
export const isHook = (/** @type {string} */ path) => /^\/api\/hooks(\/|$)/.test(path);
/** Its route checks the sender before it reads on. */
export const isUpload = (/** @type {string} */ path) => /^\/api\/(kyc|accounts)\/[^/]+\/files$/.test(path);

/** The longest body for this path. @param {string} method @param {string} path */
export function mostBytesAt(method, path) {
  if (method !== "POST") return 1024;
  if (isUpload(path)) return 10 * MIB;
  if (isHook(path)) return 256 * 1024;
  if (path === "/api/csp-reports") return 64 * 1024;
  if (path.startsWith("/api/auth/")) return 16 * 1024;
  // Writes go to pages; routes take a word or two.
  return path.startsWith("/api/") || path.startsWith("/_next/") ? 1024 : MIB;
}

/** @param {IncomingMessage} request */
export const hasBody = ({ headers }) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Held back until its body is complete, as Node hands it over chunk by chunk. */
export class CountedRequest extends IncomingMessage {
  /** @type {((bytes: number) => boolean) | null} */
  #count = null;
  /** @type {() => void} */
  #whenWhole = () => undefined;
  /** @type {(bytes: number) => void} */
  #meter = () => undefined;

  /** @param {(bytes: number) => void} meter */
  measure(meter) {
    this.#meter = meter;
  }

  /**
   * Nothing else stops Node from reading on: `count` gets each chunk and returns whether it is accepted. @param
   * {(bytes: number) => boolean} count @param {() => void} whenWhole
   */
  hold(count, whenWhole) {
    this.#count = count;
    this.#whenWhole = whenWhole;
  }

  discard() {
    this.#count = () => false;
    this.#whenWhole = () => undefined;
  }

  /** @override @param {Buffer | null} chunk @param {BufferEncoding} [encoding] */
  push(chunk, encoding) {
    this.#meter(chunk?.length ?? 0);
    if (this.#count === null) return super.push(chunk, encoding);
    if (chunk === null) {
      const whenWhole = this.#whenWhole;
      this.#count = null;
      super.push(null);
      whenWhole();
      return false;
    }
    if (this.#count(chunk.length)) super.push(chunk, encoding);
    return true;
  }
}

/**
 * Buffers whole bodies before their requests are handled, with a limit for all of them together and for each one's
 * time.
 * @param {{ gatheredBytes: number, bodyMs: number, hookMs: number }} limits
 */
export function createGathering({ gatheredBytes, bodyMs, hookMs }) {
  let bufferedBytes = 0;

  /** For a body that its route reads. @param {CountedRequest} request @param {import("node:http").ServerResponse} answer */
  function stream(request, answer) {
    if (bufferedBytes + Number(request.headers["content-length"] ?? 0) > gatheredBytes) return false;
    let bytes = 0;
    request.measure((more) => {
      bytes += more;
      bufferedBytes += more;
    });
    answer.once("close", () => {
      request.measure(() => undefined);
      bufferedBytes -= bytes;
    });
    return true;
  }

  /**
   * Calls `go` once the body is complete, `refuse` with the HTTP status of the refusal, or `lose` when its sender left.
   * @param {CountedRequest} request @param {string} path
   * @param {{ go: () => void, refuse: (status: number) => void, lose: () => void }} outcome
   */
  function gather(request, path, { go, refuse, lose }) {
    const mostBytes = mostBytesAt(request.method ?? "", path);
    let bytes = 0;
    let isOver = false;
    let isWhole = false;
    const end = () => {
      clearTimeout(late);
      bufferedBytes -= bytes;
      bytes = 0;
    };
    const fail = (/** @type {number} */ status) => {
      if (isOver) return;
      isOver = true;
      end();
      request.discard();
      refuse(status);
    };
    const late = setTimeout(fail, isHook(path) ? hookMs : bodyMs, 408);
    request.once("close", () => {
      const isCut = !isOver && !isWhole;
      isOver = true;
      end();
      if (isCut) lose();
    });
    request.hold(
      (more) => {
        if (bytes + more > mostBytes) fail(413);
        else if (bufferedBytes + more > gatheredBytes) fail(503);
        if (isOver) return false;
        bytes += more;
        bufferedBytes += more;
        return true;
      },
      () => {
        isWhole = true;
        clearTimeout(late);
        if (!isOver) go();
      },
    );
  }

  return { gather, stream };
}

/**
 * Calls `over` once the rest of a refused body has come, or was too much or too slow.
 * @param {CountedRequest} request @param {() => void} over
 */
export function linger(request, over) {
  let bytes = 0;
  const late = setTimeout(over, LINGER_MS);
  request.once("close", () => clearTimeout(late));
  request.hold((more) => {
    bytes += more;
    if (bytes > LINGER_BYTES) request.destroy();
    return false;
  }, over);
}
