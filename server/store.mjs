// @ts-check

import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";

const RETRY_AFTER_S = "5";
const DIGEST = "bank:unavailable:store-silent";

/** @typedef {{ isStoreUnavailable: boolean }} Asked */

/** @type {AsyncLocalStorage<Asked>} */
const requests = new AsyncLocalStorage();
// The console's own code, bundled apart, notes here that its store gave no answer.
Object.assign(globalThis, { retaguardaRequest: requests });

const sentenceIn = (/** @type {"en" | "pt-BR"} */ language) => {
  const messages = JSON.parse(readFileSync(new URL(`../messages/${language}.json`, import.meta.url), "utf8"));
  return String(messages.outages["store-silent"]);
};

const SENTENCES = { "pt-BR": sentenceIn("pt-BR"), en: sentenceIn("en") };

const PAGE = `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Retaguarda</title>
<main>
<p>${SENTENCES["pt-BR"]}</p>
<p lang="en">${SENTENCES.en}</p>
</main>
</html>
`;

/** @typedef {import("node:http").IncomingMessage} Incoming */
/** @typedef {import("node:http").ServerResponse} Answer */

/** @param {Incoming} request @returns {[string, string]} */
function bodyFor({ headers: { accept = "", "accept-language": wanted = "" } }) {
  if (accept.includes("text/html")) return ["text/html; charset=utf-8", PAGE];
  const message = SENTENCES[/^en\b/i.test(wanted) ? "en" : "pt-BR"];
  return ["application/json", JSON.stringify({ ok: false, error: { kind: "unavailable", message } })];
}

const OF_BODY = ["content-length", "content-encoding", "transfer-encoding", "etag", "vary", "link"];

/** Of what is written to an answer that is replaced. @param {unknown[]} given */
function callBack(given) {
  const last = given.at(-1);
  if (typeof last === "function") process.nextTick(last);
}

/**
 * Next answers 500 to what failed, and 200 to an action that says why: while nothing is sent of it, an answer becomes 503 when
 * the store gave none.
 * @param {Incoming} request @param {Answer} answer @param {Asked} asked
 */
function followStatus(request, answer, asked) {
  const writeHead = answer.writeHead.bind(answer);
  const write = answer.write.bind(answer);
  const end = answer.end.bind(answer);
  let isReplaced = false;

  function replaces(/** @type {number} */ status) {
    if (answer.headersSent || !asked.isStoreUnavailable) return isReplaced;
    isReplaced ||= status === 500;
    return isReplaced;
  }

  const isAction = () =>
    request.method === "POST" && String(answer.getHeader("content-type") ?? "").startsWith("text/x-component");

  const statusFor = (/** @type {number} */ status) => {
    if (status !== 200 || !asked.isStoreUnavailable || answer.headersSent || !isAction()) return status;
    answer.setHeader("Retry-After", RETRY_AFTER_S);
    return 503;
  };

  function replace() {
    Object.assign(answer, { writeHead, write, end });
    for (const name of OF_BODY) answer.removeHeader(name);
    const [type, body] = bodyFor(request);
    answer.statusCode = 503;
    answer.setHeader("Retry-After", RETRY_AFTER_S);
    answer.setHeader("Cache-Control", "no-store");
    answer.setHeader("Content-Type", type);
    answer.setHeader("x-retaguarda-failure", DIGEST);
    answer.end(body);
    return answer;
  }

  Object.assign(answer, {
    writeHead: (/** @type {number} */ status, /** @type {unknown[]} */ ...more) =>
      replaces(status) ? answer : Reflect.apply(writeHead, answer, [statusFor(status), ...more]),
    write: (/** @type {unknown[]} */ ...given) => {
      if (!replaces(answer.statusCode)) return Reflect.apply(write, answer, given);
      callBack(given);
      return true;
    },
    end: (/** @type {unknown[]} */ ...given) => {
      if (!replaces(answer.statusCode)) return Reflect.apply(end, answer, given);
      if (answer.writableEnded) return answer;
      callBack(given);
      return replace();
    },
  });
}

/** @param {import("./server.mjs").Handler} handle @returns {import("./server.mjs").Handler} */
export const withStore = (handle) => (request, answer) => {
  const asked = { isStoreUnavailable: false };
  followStatus(request, answer, asked);
  return requests.run(asked, handle, request, answer);
};
