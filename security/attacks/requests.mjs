// What is written into requests.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";

/** One request as it is, `Host` too. Answers `{status, headers, text}`. */
export function ask(url, path, { method = "GET", headers = {}, body = "" } = {}) {
  return new Promise((resolve, reject) => {
    const asking = request(new URL(path, url), { method, agent: false, headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.once("end", () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    asking.once("error", reject);
    asking.end(body);
  });
}

const FORM = "application/x-www-form-urlencoded";
const cookiesOf = ({ headers }) => (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";", 1)[0]).join("; ");

/** A sign-in as its form does it; answers what its address says of it, or `in`. */
async function guess(url, email, headers = {}) {
  const asked = await ask(url, "/api/auth/csrf", { headers });
  const { csrfToken } = JSON.parse(asked.text);
  const body = String(
    new URLSearchParams({ email, password: "not the password", csrfToken, json: "true", callbackUrl: "/" }),
  );
  const { status, text } = await ask(url, "/api/auth/callback/credentials", {
    method: "POST",
    headers: { ...headers, origin: url, cookie: cookiesOf(asked), "content-type": FORM },
    body,
  });
  return status === 200 ? "in" : (new URL(JSON.parse(text).url, url).searchParams.get("error") ?? "");
}

/** A word that stands nowhere else. */
const mark = () => `mark${randomBytes(12).toString("hex")}`;

export async function injectIntoLog({ url, log }) {
  const word = mark();
  const injected = `${word}\n${JSON.stringify({ level: 30, msg: word })}`;
  const body = JSON.stringify({ code: injected, level: "error", message: injected });
  const query = encodeURIComponent(injected);
  const json = { origin: url, "content-type": "application/json" };
  const answers = await Promise.all([
    ask(url, "/api/auth/_log", { method: "POST", headers: json, body }),
    ask(url, `/api/auth/error?error=${query}`),
    ask(url, `/api/auth/signin?error=${query}`),
    ask(url, `/api/auth/callback/${query}`),
    ask(url, `/api/auth/${word}`),
    ask(url, "/api/auth/session"),
    ask(url, "/api/auth/providers"),
    ask(url, "/api/auth/session", { method: "POST", headers: json, body }),
    ask(url, `/api/auth/csrf?callbackUrl=${query}`),
  ]);
  await ask(url, "/api/health");
  const logged = readFileSync(log, "utf8").split(word).length - 1;
  const statuses = answers.map(({ status }) => status);
  const isGivenBack = answers.some(({ headers, text }) => `${text}${headers.location ?? ""}`.includes(word));
  return {
    came: `${statuses.join(", ")}; in the log ${logged} times`,
    isRepelled: logged === 0 && !isGivenBack && statuses.every((status) => [303, 404].includes(status)),
  };
}

export async function returnElsewhere({ url }) {
  const answers = await Promise.all(
    ["https://evil.example/", "//evil.example", "javascript:alert(1)", "http://["].map((address) =>
      ask(url, `/api/auth/csrf?callbackUrl=${encodeURIComponent(address)}`),
    ),
  );
  const areOurs = answers.every(
    ({ status, headers }) => status === 303 && headers.location === `${url}/sign-in?error=return-address`,
  );
  const { text: page } = await ask(url, "/sign-in?error=return-address");
  const planted = await ask(url, "/api/auth/csrf", { headers: { cookie: "retaguarda-callback=http%3A%2F%2F%5B" } });
  return {
    came: `${answers.map(({ status }) => status).join(", ")} to a sentence of ours; with a planted cookie ${planted.status}`,
    isRepelled: areOurs && page.includes('role="alert"') && planted.status === 200,
  };
}

export async function forgeOrigin({ url }) {
  const action = { "next-action": "7f".repeat(21), "content-type": "text/plain;charset=UTF-8" };
  const post = (headers) => ask(url, "/sign-in", { method: "POST", headers: { ...action, ...headers }, body: "[]" });
  const foreign = { host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" };
  const [forged, page, direct, proxied] = [
    await post(foreign),
    await ask(url, "/kyc", { headers: { host: "evil.example", "x-forwarded-host": "evil.example" } }),
    await post({ origin: url }),
    await post({ host: "console.internal:3000", origin: url }),
  ];
  const named = `${page.headers.location ?? ""}${page.text}`.includes("evil.example");
  return {
    came: `${forged.status}; the foreign host is ${named ? "" : "not "}in the page; our own write behind a proxy: ${proxied.status}`,
    // An action that is not there; Next answers 500 to what it takes for another site's.
    isRepelled: forged.status === 403 && !named && proxied.status === direct.status && direct.status < 500,
  };
}

export async function forgeAddress({ url }) {
  const outcomes = [];
  for (let n = 0; n < 8; n += 1) {
    outcomes.push(
      await guess(url, "ana@forged.example", { "x-forwarded-for": `198.51.100.${n}`, "x-real-ip": `198.51.100.${n}` }),
    );
  }
  const waits = outcomes.filter((outcome) => outcome.startsWith("wait-")).length;
  return {
    came: `${outcomes.length - waits} were looked at, ${waits} told to wait`,
    isRepelled: waits >= 2 && !outcomes.includes("in"),
  };
}

export async function tryCrowd({ url }) {
  const crowd = Array.from({ length: 120 }, (_, n) => guess(url, `${mark()}-${n}@crowd.example`));
  const startedAtMs = performance.now();
  const { status } = await ask(url, "/api/health");
  const healthMs = Math.round(performance.now() - startedAtMs);
  const outcomes = await Promise.all(crowd);
  const waits = outcomes.filter((outcome) => outcome.startsWith("wait-")).length;
  return {
    came: `${waits} told to wait, ${outcomes.length - waits} looked at; health meanwhile ${status} in ${healthMs} ms`,
    isRepelled: status === 200 && waits >= 50 && !outcomes.includes("in"),
  };
}

export async function optimiseImage({ url }) {
  const { status } = await ask(url, "/_next/image?url=%2Ficon.svg&w=3840&q=100");
  return { came: String(status), isRepelled: status === 404 };
}

export async function nestQuotes({ serviceUrl }) {
  const body = `{"a":"${String.raw`\"`.repeat(32 * 1024)}`;
  const startedAtMs = performance.now();
  const answers = await Promise.all(
    [body, String.raw`\"`.repeat(32 * 1024), "[".repeat(64 * 1024)].map((text) =>
      ask(serviceUrl, "/v1/bank-accounts/create", {
        method: "POST",
        headers: { "content-type": "application/json", "x-client-id": "nobody" },
        body: text,
      }),
    ),
  );
  const ms = Math.round(performance.now() - startedAtMs);
  return {
    came: `${answers.map(({ status }) => status).join(", ")} in ${ms} ms`,
    isRepelled: ms < 1_500 && answers.every(({ status }) => status === 401),
  };
}
