// @ts-check
// Preloaded into every process of a product under test: records all answers of the console.
import { ServerResponse } from "node:http";
import { constants, unzipSync } from "node:zlib";
import { putCanaries, putDown } from "./seen.mjs";

const SESSION = /(?:^|[.-])session=([^;]{41,})/;
/** A sealed cookie's end is unique; the beginnings are all alike. */
const COOKIE_END = 40;

/** @type {WeakMap<ServerResponse, Buffer[]>} */
const bodies = new WeakMap();

/** @param {ServerResponse} answer */
const isBuilt = ({ req }) => req.url?.startsWith("/_next/static/") === true;
/** @param {ServerResponse} answer */
const isStream = (answer) => String(answer.getHeader("content-type")).startsWith("text/event-stream");
/** @param {ServerResponse} answer */
const nameOf = ({ req }) => `answer to ${req.method} ${req.url?.split("?")[0]}`;
/** An aborted answer may end in the middle. @param {ServerResponse} answer @param {Buffer} body */
const plain = (answer, body) =>
  /gzip|deflate/.test(String(answer.getHeader("content-encoding")))
    ? unzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH })
    : body;

/** @param {ServerResponse} answer @param {unknown} chunk @param {unknown} encoding */
function keep(answer, chunk, encoding) {
  if (isBuilt(answer)) return;
  if (!bodies.has(answer)) {
    bodies.set(answer, []);
    answer.once("close", () => tell(answer));
  }
  if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
  const bytes =
    typeof chunk === "string" ? Buffer.from(chunk, encoding === "latin1" ? "latin1" : "utf8") : Buffer.from(chunk);
  if (isStream(answer)) return putDown("the stream of changes", bytes.toString("latin1"));
  bodies.get(answer)?.push(bytes);
}

/** @param {ServerResponse} answer */
function tell(answer) {
  const { "set-cookie": cookies, ...headers } = answer.getHeaders();
  putDown("address", String(answer.req.url));
  putDown(`headers of ${nameOf(answer)}`, JSON.stringify(headers));
  for (const cookie of [cookies ?? []].flat().map(String)) {
    putDown(`cookies set by ${nameOf(answer)}`, cookie);
    const sealed = SESSION.exec(cookie)?.[1];
    if (sealed !== undefined) putCanaries("session", [decodeURIComponent(sealed).slice(-COOKIE_END)], 0);
  }
  const body = Buffer.concat(bodies.get(answer) ?? []);
  if (body.length > 0) putDown(nameOf(answer), plain(answer, body).toString("latin1"));
}

if (process.argv[1]?.endsWith("/server/main.mjs")) {
  const [write, end] = ["write", "end"].map((name) => Reflect.get(ServerResponse.prototype, name));
  /** @this {ServerResponse} @param {...unknown} given */
  ServerResponse.prototype.write = function observedWrite(...given) {
    keep(this, given[0], given[1]);
    return Reflect.apply(write, this, given);
  };
  /** @this {ServerResponse} @param {...unknown} given */
  ServerResponse.prototype.end = function observedEnd(...given) {
    keep(this, given[0], given[1]);
    return Reflect.apply(end, this, given);
  };
}
