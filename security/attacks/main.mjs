// Attacks the running product where no unit test does: the built-in answers of next-auth and Next, and the service's
// time for large bodies. Prints each attempt and its result; exits with 1 when one succeeded.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTemporaryProduct } from "../../test/support/temporary-product.mjs";

const NEXT_AUTH = "/api/auth";

async function ask(address, given = {}) {
  const answer = await fetch(address, { redirect: "manual", ...given });
  return { status: answer.status, text: await answer.text(), location: answer.headers.get("location") ?? "" };
}

async function injectIntoLog({ url, log }) {
  const word = `mark${randomBytes(12).toString("hex")}`;
  const injected = `${word}\n${JSON.stringify({ level: 30, msg: word })}`;
  const query = encodeURIComponent(injected);
  const body = JSON.stringify({ code: injected, level: "error", message: injected });
  const posted = { method: "POST", headers: { origin: url, "content-type": "application/json" }, body };
  const answers = await Promise.all([
    ask(`${url}${NEXT_AUTH}/_log`, posted),
    ask(`${url}${NEXT_AUTH}/session`, posted),
    ...[`error?error=${query}`, `signin?error=${query}`, `callback/${query}`, word, "session", "providers"].map(
      (path) => ask(`${url}${NEXT_AUTH}/${path}`),
    ),
    ask(`${url}${NEXT_AUTH}/csrf?callbackUrl=${query}`),
  ]);
  await ask(`${url}/api/health`);
  const logged = readFileSync(log, "utf8").split(word).length - 1;
  const statuses = answers.map(({ status }) => status);
  const isGivenBack = answers.some(({ text, location }) => `${text}${location}`.includes(word));
  return {
    came: `${statuses.join(", ")}; in the log ${logged} times`,
    isRepelled: logged === 0 && !isGivenBack && statuses.every((status) => [303, 404].includes(status)),
  };
}

async function returnElsewhere({ url }) {
  const elsewhere = ["https://evil.example/", "//evil.example", "javascript:alert(1)", "http://["];
  const answers = await Promise.all(
    elsewhere.map((address) => ask(`${url}${NEXT_AUTH}/csrf?callbackUrl=${encodeURIComponent(address)}`)),
  );
  const areOurs = answers.every(
    ({ status, location }) => status === 303 && location === `${url}/sign-in?error=return-address`,
  );
  const { text: page } = await ask(`${url}/sign-in?error=return-address`);
  const planted = await ask(`${url}${NEXT_AUTH}/csrf`, {
    headers: { cookie: "retaguarda-callback=http%3A%2F%2F%5B" },
  });
  return {
    came: `${answers.map(({ status }) => status).join(", ")} to a sentence of ours; with a planted cookie ${planted.status}`,
    isRepelled: areOurs && page.includes('role="alert"') && planted.status === 200,
  };
}

async function optimiseImage({ url }) {
  const { status } = await ask(`${url}/_next/image?url=%2Ficon.svg&w=3840&q=100`);
  return { came: String(status), isRepelled: status === 404 };
}

const SHAPES = {
  "a number of that many digits": (size) => `{"amount":${"1".repeat(size)}}`,
  "the same as text": (size) => `{"amount":"${"1".repeat(size)}"}`,
  "text of quotes": (size) => `{"name":"${String.raw`\"`.repeat(size / 2)}"}`,
  "an address of at signs": (size) => `{"email":"${"a@".repeat(size / 2)}"}`,
  blanks: (size) => `{"name":"${" ".repeat(size)}x"}`,
  "blanks between": (size) => `{${" ".repeat(size)}"name":1}`,
  "one name many times": (size) => `{${'"name":1,'.repeat(size / 9)}"name":1}`,
  "a list": (size) => `{"members":[${"0,".repeat(size / 2)}0]}`,
  "lists within lists": (size) => `{"members":${"[".repeat(size / 2)}${"]".repeat(size / 2)}}`,
  "half characters": (size) => `{"name":"${String.raw`\ud800`.repeat(size / 6)}"}`,
};

/** Four times the cost for four times the size is linear. */
async function sendQuadraticBodies({ serviceUrl, dataDir }) {
  const { tenants } = JSON.parse(readFileSync(join(dataDir, "service/tenants.json"), "utf8"));
  const [{ clientId, clientSecret }] = tenants;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const asked = await ask(`${serviceUrl}/v1/authentication/oauth/access-token`, {
    method: "POST",
    headers: { authorization: `Basic ${basic}` },
  });
  const { access_token: token } = JSON.parse(asked.text);
  const headers = { authorization: `Bearer ${token}`, "x-client-id": clientId, "content-type": "application/json" };
  const timed = async (path, body) => {
    const startedAtMs = performance.now();
    const { status } = await ask(serviceUrl + path, { method: "POST", headers, body });
    return { status, ms: performance.now() - startedAtMs };
  };
  const slow = [];
  const statuses = new Map();
  let slowestMs = 0;
  for (const path of ["/v1/bank-accounts/create", "/v1/kyc/person", "/v1/kyc/company", "/v1/crypto/transfer"]) {
    for (const [name, shape] of Object.entries(SHAPES)) {
      const quarter = await timed(path, shape(245_760));
      const whole = await timed(path, shape(983_040));
      slowestMs = Math.max(slowestMs, whole.ms);
      for (const { status } of [quarter, whole]) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (whole.ms > 1_500 && whole.ms > 8 * quarter.ms) slow.push(`${name} at ${path}`);
    }
  }
  const told = [...statuses].map(([status, times]) => `${times} × ${status}`).join(", ");
  const areRefusals = [...statuses.keys()].every((status) => status >= 400 && status < 500);
  return {
    came: `${told}; the slowest took ${Math.round(slowestMs)} ms, more than linear: ${slow.join("; ") || "none"}`,
    isRepelled: slow.length === 0 && areRefusals,
  };
}

const ATTACKS = {
  "text for the log, by every verb that next-auth has for it": injectIntoLog,
  "an address elsewhere to return to, and one planted in the browser": returnElsewhere,
  "images of any size from /_next/image": optimiseImage,
  "bodies of a megabyte to the embedded service, whose cost might grow faster": sendQuadraticBodies,
};

const { values } = parseArgs({ options: { report: { type: "string" } } });
const product = await startTemporaryProduct();
const results = [];
for (const [tried, attack] of Object.entries(ATTACKS)) {
  const { came, isRepelled } = await attack(product).catch((error) => ({ came: String(error), isRepelled: false }));
  results.push({ tried, came, isRepelled });
  console.log(`${isRepelled ? "✓" : "✗"} ${tried}: ${came}`);
}
await product.stop();
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ results }));
const through = results.filter(({ isRepelled }) => !isRepelled).length;
console.log(`${results.length - through} of ${results.length} attacks repelled`);
process.exit(through === 0 ? 0 : 1);
