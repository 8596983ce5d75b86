import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";

const RETRY_AFTER_S = "5";

const requests = new AsyncLocalStorage();
// The console's code, bundled separately, notes here that its store gave no answer.
Object.assign(globalThis, { retaguardaRequest: requests });

const messagesIn = (language) =>
  JSON.parse(readFileSync(new URL(`../messages/${language}.json`, import.meta.url), "utf8"));

const MESSAGES = { "pt-BR": messagesIn("pt-BR"), en: messagesIn("en") };

/** A read sent nothing, so it is not said that nothing was sent. */
const outagesOf = ({ method }, language) => {
  const { outages, readOutages } = MESSAGES[language];
  return method === "GET" || method === "HEAD" ? readOutages : outages;
};

const pageOf = (request, code) => `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Retaguarda</title>
<main>
<p>${outagesOf(request, "pt-BR")[code]}</p>
<p lang="en">${outagesOf(request, "en")[code]}</p>
</main>
</html>
`;

function bodyFor(request, code) {
  const { accept = "", "accept-language": wanted = "" } = request.headers;
  if (accept.includes("text/html")) return ["text/html; charset=utf-8", pageOf(request, code)];
  const message = outagesOf(request, /^en\b/i.test(wanted) ? "en" : "pt-BR")[code];
  return ["application/json", JSON.stringify({ ok: false, error: { kind: "unavailable", message } })];
}

const OF_BODY = ["content-length", "content-encoding", "transfer-encoding", "etag", "vary", "link"];

function callBack(given) {
  const last = given.at(-1);
  if (typeof last === "function") process.nextTick(last);
}

/** Next answers 500 to a failure, and 200 to an action with a reason. */
function followStatus(request, answer, asked) {
  const writeHead = answer.writeHead.bind(answer);
  const write = answer.write.bind(answer);
  const end = answer.end.bind(answer);
  let isReplaced = false;

  function replaces(status) {
    if (answer.headersSent || !asked.isStoreUnavailable) return isReplaced;
    isReplaced ||= status === 500;
    return isReplaced;
  }

  const isAction = () =>
    request.method === "POST" && String(answer.getHeader("content-type") ?? "").startsWith("text/x-component");

  const statusFor = (status) => {
    if (status !== 200 || !asked.isStoreUnavailable || answer.headersSent || !isAction()) return status;
    answer.setHeader("Retry-After", RETRY_AFTER_S);
    return 503;
  };

  function replace() {
    Object.assign(answer, { writeHead, write, end });
    for (const name of OF_BODY) answer.removeHeader(name);
    const code = asked.hasSent ? "store-lost" : "store-silent";
    const [type, body] = bodyFor(request, code);
    answer.statusCode = 503;
    answer.setHeader("Retry-After", RETRY_AFTER_S);
    answer.setHeader("Cache-Control", "no-store");
    answer.setHeader("Content-Type", type);
    answer.setHeader("x-retaguarda-failure", `bank:unavailable:${code}`);
    answer.end(body);
    return answer;
  }

  Object.assign(answer, {
    writeHead: (status, ...more) =>
      replaces(status) ? answer : Reflect.apply(writeHead, answer, [statusFor(status), ...more]),
    write: (...given) => {
      if (!replaces(answer.statusCode)) return Reflect.apply(write, answer, given);
      callBack(given);
      return true;
    },
    end: (...given) => {
      if (!replaces(answer.statusCode)) return Reflect.apply(end, answer, given);
      if (answer.writableEnded) return answer;
      callBack(given);
      return replace();
    },
  });
}

export const withStore = (handle) => (request, answer) => {
  const asked = { isStoreUnavailable: false, hasSent: false };
  followStatus(request, answer, asked);
  return requests.run(asked, handle, request, answer);
};
