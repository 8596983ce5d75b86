import { readdirSync } from "node:fs";
import { request as ask } from "node:http";
import { connect } from "node:net";
import { resolve } from "node:path";
import { openSession, expect, test } from "./support/story";

const ON_EVERY_ANSWER = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "reporting-endpoints",
  "x-content-type-options",
  "x-frame-options",
];

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
type Asked = { path: string; method?: string; headers?: Record<string, string>; body?: string };

/** Sends raw bytes, as a browser would normalise some of these URLs. */
function send(url: string, { path, method = "GET", headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((answered, failed) => {
    const asking = ask(url, { path, method, headers, agent: false }, (answer) => {
      let text = "";
      const say = () => answered({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      // A stream of changes has no end.
      if (answer.headers["content-type"]?.startsWith("text/event-stream")) return (say(), answer.destroy());
      answer.once("end", say);
    });
    asking.once("error", (cause) => failed(new Error(`${method} ${path}`, { cause })));
    asking.end(body);
  });
}

function sendBare(url: string, text: string): Promise<string> {
  return new Promise((answered, failed) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.once("close", () => answered(received));
    socket.once("error", failed);
  });
}

const screens = [
  "/",
  ..."/kyc /onboarding /accounts /transfers /movements /wallets /wallets/addresses /webhooks /calls /approvals /audit /staff /staff/roles".split(
    " ",
  ),
  ..."/settings /settings/approvals /settings/kyc /settings/calendar /settings/company /settings/data /security /enrol".split(
    " ",
  ),
];
const open = ["/sign-in", "/invite", "/password"];
const routes = [
  ..."/api/kyc /api/onboarding /api/transfers /api/wallets /api/calls /api/provider /api/scope /api/session /api/live".split(
    " ",
  ),
  ..."/api/approvals /api/approvals/owed /api/audit/new".split(" "),
];
const absent = [
  "/nowhere",
  "/kyc/nobody",
  "/wallets/unknown",
  "/api/nowhere",
  "/_next/static/nothing.js",
  "/absent.ico",
];
const unreadable = [
  "/%c0%ae",
  "/%",
  "/kyc/%zz",
  "/a%00b",
  "//evil.example/x",
  "/..%2f..%2fetc/passwd",
  "/kyc/%E0%A4%A",
];
const methods = ["HEAD", "TRACE", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"];
const own = readdirSync(resolve(".next/static"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `/_next${`${parentPath}/${name}`.replace(resolve(".next"), "")}`);

const HERS = new Set([...screens, ...routes]);

/** Immutable files must be cached, personal data never. */
function isKeptWrongly({ path, headers = {} }: Asked, kept: string): boolean {
  if (/^\/_next\/.*\/(chunks|media)\//.test(path)) return kept !== "public, max-age=31536000, immutable";
  return "cookie" in headers && HERS.has(path) && !kept.includes("no-store");
}

test(
  "every answer carries the security headers and says whether it may be cached",
  { tag: "@long" },
  async ({ browser, product }) => {
    const { cookies } = await openSession(browser, { url: product.url, role: "auditor" });
    const signedIn = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") };
    const action = { "next-action": "0".repeat(42), "content-type": "text/plain;charset=UTF-8", origin: product.url };
    const asked: Asked[] = [
      ...[...screens, ...open, ...routes, ...absent, ...unreadable].flatMap((path) => [
        { path },
        { path, headers: signedIn },
      ]),
      ...screens.map((path) => ({ path: `${path}?_rsc=1`, headers: { ...signedIn, rsc: "1" } })),
      ...methods.flatMap((method) => ["/", "/kyc", "/api/kyc", "/nowhere"].map((path) => ({ path, method }))),
      ...own.map((path) => ({ path })),
      ...["csrf", "session", "providers", "signin", "signout", "error", "nothing"].map((name) => ({
        path: `/api/auth/${name}`,
      })),
      ...readdirSync("public").map((name) => ({ path: `/${name}` })),
      { path: "/.well-known/security.txt" },
      { path: "/api/health" },
      { path: "/_next/image?url=%2Ficon.svg&w=64&q=75" },
      { path: "/api/calls?path=%", headers: signedIn },
      { path: "/kyc", method: "POST", headers: { ...signedIn, ...action }, body: "[]" },
      { path: "/kyc", method: "POST", headers: { ...signedIn, ...action, origin: "https://evil.example" }, body: "[]" },
      {
        path: "/kyc",
        method: "POST",
        headers: { ...signedIn, ...action, "content-type": "multipart/form-data" },
        body: "x",
      },
      { path: "/kyc", method: "POST", headers: { "content-length": "2000000" } },
      { path: "/api/auth/signout", method: "POST", headers: { origin: "https://evil.example" } },
      { path: "/api/csp-reports", method: "POST", headers: { "content-type": "application/reports+json" }, body: "{" },
    ];
    const bare = [
      "no http\r\n\r\n",
      "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\n\r\n`,
    ];
    const statuses = new Map<number, number>();
    const lacking: string[] = [];
    for (const one of asked) {
      const { status, headers, body } = await send(product.url, one);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const missing = ON_EVERY_ANSWER.filter((name) => headers[name] === undefined);
      // Next redirects repeated slashes without a content type.
      if (body !== "" && status !== 308 && headers["content-type"] === undefined)
        missing.push("what kind of text it is");
      if (headers["x-powered-by"] !== undefined) missing.push("hides what it runs on");
      if (one.method === undefined && isKeptWrongly(one, String(headers["cache-control"])))
        missing.push("how long it is kept");
      if (missing.length > 0) lacking.push(`${one.method ?? "GET"} ${one.path} ${status}: ${missing.join(", ")}`);
    }
    for (const text of bare) {
      const answer = (await sendBare(product.url, text)).toLowerCase();
      if (!ON_EVERY_ANSWER.every((name) => answer.includes(`\r\n${name}: `))) lacking.push(answer);
    }
    const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
    console.log(
      `${asked.length + bare.length} answers with all headers: ${counted.join(", ")}, ${bare.length} of Node's own`,
    );
    expect(lacking).toEqual([]);
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  },
);

test("sources, settings and data are never served, and no folder is listed", { tag: "@long" }, async ({ product }) => {
  const stored = ["/.git/HEAD", "/.env", "/.data", "/.next/BUILD_ID", "/package.json", "/server/main.mjs"];
  const folders = ["/public", "/_next", "/_next/static", "/_next/static/chunks"];
  for (const path of [...stored, ...folders]) {
    expect([path, (await send(product.url, { path })).status]).toEqual([path, 404]);
  }
});

test("anybody gets the logo, the manifest and robots.txt", { tag: "@long" }, async ({ stranger: page, product }) => {
  await page.goto("/sign-in");
  const named = await page
    .locator('link[rel="icon"], link[rel="apple-touch-icon"], link[rel="manifest"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(named).toEqual(["/manifest.webmanifest", "/favicon.ico", "/icon.svg", "/apple-touch-icon.png"]);
  const types = await Promise.all(
    [...named, "/robots.txt"].map(async (path) => {
      const { status, headers } = await send(product.url, { path });
      return `${status} ${headers["content-type"]?.toString().split(";", 1)[0]}`;
    }),
  );
  expect(types).toEqual([
    "200 application/manifest+json",
    "200 image/x-icon",
    "200 image/svg+xml",
    "200 image/png",
    "200 text/plain",
  ]);
  expect((await send(product.url, { path: "/robots.txt" })).body).toContain("Disallow: /\n");
  expect((await send(product.url, { path: "/.well-known/security.txt" })).status).toBe(404);
});

test("each of 60 pages has its own nonce in every script and in its policy", { tag: "@long" }, async ({ product }) => {
  const nonces = new Set<string>();
  for (let batch = 0; batch < 3; batch += 1) {
    const pages = await Promise.all(Array.from({ length: 20 }, () => send(product.url, { path: "/sign-in" })));
    for (const { headers, body } of pages) {
      const [, nonce = ""] = /script-src 'nonce-([^']+)'/.exec(String(headers["content-security-policy"])) ?? [];
      const scripts = body.match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(5);
      expect(scripts.filter((script) => !script.includes(` nonce="${nonce}"`))).toEqual([]);
      nonces.add(nonce);
    }
  }
  console.log(`${nonces.size} nonces on 60 pages`);
  expect(nonces.size).toBe(60);
});

test("the policy blocks scripts, styles and pictures from elsewhere", async ({ browser, product }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const foreign: string[] = [];
  // The policy blocks these requests before they get here.
  await context.route(
    (address) => address.origin !== product.url,
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  await page.goto("/sign-in");
  const refused = await page.evaluate(async () => {
    const received: string[] = [];
    addEventListener("securitypolicyviolation", ({ effectiveDirective }) => received.push(effectiveDirective));
    const tryOut = (name: string, attributes: Record<string, string>, text = "") => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) {
        Promise.resolve()
          .then(() => element.setAttribute(key, value))
          .catch(() => received.push(`${name} ${key}`));
      }
      element.append(text);
      document.body.append(element);
    };
    tryOut("img", { src: "https://evil.example/x.png" });
    tryOut("iframe", { src: "https://evil.example/" });
    tryOut("style", {}, "body { display: none }");
    tryOut("script", { src: "https://evil.example/x.js" });
    tryOut("a", { onclick: "document.title = 'run'" });
    await fetch("https://evil.example/").catch(() => received.push("fetch"));
    const written = Promise.resolve().then(() => (document.body.innerHTML = "<img src=x onerror=alert(1)>"));
    await written.catch(() => received.push("innerHTML"));
    // oxlint-disable-next-line typescript/no-implied-eval -- the test checks that the page refuses it
    const evaluated = Promise.resolve().then(() => setTimeout("document.title = 'run'"));
    await evaluated.catch(() => received.push("setTimeout"));
    return received;
  });
  expect(refused).toEqual(expect.arrayContaining(["fetch", "innerHTML", "script src", "a onclick", "setTimeout"]));
  expect(await page.title()).not.toBe("run");
  await expect(page.locator("body")).toBeVisible();
  expect(foreign).toEqual([]);
  await context.close();
});
