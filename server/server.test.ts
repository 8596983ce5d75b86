import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { BlockList, connect } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { compressAssets } from "@/scripts/setup/build.mjs";
import { FILE_POLICY, ROUTE_POLICY } from "./guard.mjs";
import { createFrontServer, withAssets, withCompression } from "./server.mjs";

const MIB = 1024 * 1024;
const STANDING = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "referrer-policy",
  "reporting-endpoints",
  "x-content-type-options",
  "x-frame-options",
];

const opened: (Server | ReturnType<typeof createFrontServer>)[] = [];
afterEach(() => Promise.all(opened.splice(0).map((front) => new Promise((closed) => front.close(closed)))));

type Seen = { method: string; path: string; bytes: number; policy: string; headers: IncomingHttpHeaders };

/** The test's own front server before a handler that counts requests. */
async function openServer(publicUrl = "http://localhost:3000", limits = {}, assets = "") {
  const seen: Seen[] = [];
  async function count(incoming: IncomingMessage, answer: ServerResponse) {
    let bytes = 0;
    for await (const chunk of incoming) bytes += Buffer.byteLength(chunk);
    const policy = String(incoming.headers["content-security-policy"]);
    seen.push({ method: incoming.method ?? "", path: incoming.url ?? "", bytes, policy, headers: incoming.headers });
    answer.end("ok");
  }
  const setting = {
    publicUrl: new URL(publicUrl),
    isDevelopment: false,
    trusted: new BlockList(),
    isProxyNamed: false,
  };
  const front = createFrontServer(setting, withAssets(assets, count), null, limits);
  opened.push(front);
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
  const { port } = z.object({ port: z.number() }).parse(front.address());
  return { port, seen };
}

type Asked = { method?: string; path?: string; headers?: Record<string, string>; body?: Buffer };

function ask(port: number, { method = "GET", path = "/", headers = {}, body }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request({ port, method, path, headers: { connection: "close", ...headers } }, (answer) => {
      answer.resume().once("end", () => resolve(answer));
    });
    asking.once("error", reject);
    asking.end(body);
  });
}

/** The first lines of the answer to exactly these bytes. */
function askBare(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.once("close", () => resolve(text));
    socket.once("error", reject);
  });
}

describe("the front server", () => {
  it.each(["TRACE", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])("refuses %s", async (method) => {
    const { port, seen } = await openServer();
    const answer = await ask(port, { method });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "GET, HEAD, POST"]);
    expect(seen).toEqual([]);
  });

  it.each(["/%c0%ae", "/%", "/%zz", "/a%00b", "*", "http://evil.example/"])(
    "refuses an unreadable URL: %s",
    async (path) => {
      const { port, seen } = await openServer();
      expect((await ask(port, { path })).statusCode).toBe(400);
      expect(seen).toEqual([]);
    },
  );

  it("answers a form sent before its script with no content, so that the browser stays", async () => {
    const { port, seen } = await openServer();
    const bare = { origin: "null", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
    const encoded = { "content-type": "application/x-www-form-urlencoded" };
    const body = Buffer.from("vatNumber=52998224725");
    const send = (path: string, headers: Record<string, string>) => ask(port, { method: "POST", path, headers, body });
    const { statusCode, headers } = await send("/kyc/new?type=PJ", { ...bare, ...encoded });
    expect([statusCode, headers.location]).toEqual([204, undefined]);
    const foreign = { ...bare, ...encoded, "sec-fetch-site": "cross-site" };
    expect((await send("/kyc/new", foreign)).statusCode).toBe(403);
    expect((await send("/api/auth/callback/credentials", foreign)).statusCode).toBe(403);
    expect(seen).toEqual([]);
  });

  it("passes forms that work without a script: a server action and the sign-in", async () => {
    const { port, seen } = await openServer();
    const bare = { origin: "null", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };
    const action = { ...bare, "content-type": "multipart/form-data; boundary=x" };
    const signIn = { ...bare, "content-type": "application/x-www-form-urlencoded" };
    const body = Buffer.from("--x--");
    await ask(port, { method: "POST", path: "/kyc", headers: action, body });
    await ask(port, { method: "POST", path: "/api/auth/callback/credentials", headers: signIn, body });
    expect(seen).toHaveLength(2);
  });

  it("parses only a URL's path, as a search may hold any character", async () => {
    const { port, seen } = await openServer();
    expect((await ask(port, { path: "/calls?search=100%" })).statusCode).toBe(200);
    expect(seen).toHaveLength(1);
  });

  it("gives every answer its headers, even those that Node makes itself", async () => {
    const { port } = await openServer();
    const answers = await Promise.all([
      ask(port, {}),
      ask(port, { method: "TRACE" }),
      ask(port, { path: "/%c0%ae" }),
      ask(port, { method: "POST", headers: { "transfer-encoding": "chunked" }, body: Buffer.from("x") }),
      ask(port, { method: "POST", headers: { expect: "a miracle" } }),
    ]);
    for (const { headers } of answers) expect(Object.keys(headers)).toEqual(expect.arrayContaining(STANDING));
    const bare = await Promise.all([
      askBare(port, "no http at all\r\n\r\n"),
      askBare(port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`),
      askBare(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"),
    ]);
    expect(bare.map((text) => text.slice(9, 12))).toEqual(["400", "431", "400"]);
    for (const text of bare) for (const name of STANDING) expect(text.toLowerCase()).toContain(`\r\n${name}: `);
  });

  it.each([
    "Content-Length: 4\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 4",
    "Content-Length: 4\r\nContent-Length: 5",
    "Content-Length: 4, 4",
    "Content-Length: +4",
    "Content-Length : 4",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: xchunked",
    "X: y\nContent-Length: 4",
  ])("refuses a request whose end is ambiguous: %j", async (lines) => {
    const { port, seen } = await openServer();
    const hidden = "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n";
    const told = await askBare(port, `POST /kyc HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n0\r\n\r\n${hidden}`);
    expect(told).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  it("keeps an idle connection longer than the proxies in front", async () => {
    const { port } = await openServer();
    const answer = await ask(port, { headers: { connection: "keep-alive" } });
    expect(answer.headers["keep-alive"]).toBe("timeout=75");
  });

  it("sends HSTS only when reached over https", async () => {
    const [plain, secure] = await Promise.all([openServer(), openServer("https://desk.example")]);
    const overHttp = (await ask(plain.port, {})).headers;
    const overHttps = (await ask(secure.port, {})).headers;
    expect(overHttp["strict-transport-security"]).toBeUndefined();
    expect(overHttps["strict-transport-security"]).toBe("max-age=63072000; includeSubDomains");
    expect(overHttp["content-security-policy"]).not.toContain("upgrade-insecure-requests");
    expect(overHttps["content-security-policy"]).toContain("; upgrade-insecure-requests;");
  });

  it("gives 1,000 answers 1,000 nonces, and tells Next the same ones", async () => {
    const { port, seen } = await openServer();
    const nonces = new Set<string>();
    for (let batch = 0; batch < 20; batch += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(port, {})));
      for (const { headers } of answers) {
        const policy = String(headers["content-security-policy"]);
        expect(seen.some((known) => known.policy === policy)).toBe(true);
        nonces.add(/'nonce-([^']{24})'/.exec(policy)?.[1] ?? "");
      }
    }
    expect(nonces.size).toBe(1_000);
  });

  it("sandboxes a route's answer, so nothing in it runs or shares our origin", async () => {
    const { port } = await openServer();
    const policyAt = async (path: string) => (await ask(port, { path })).headers["content-security-policy"];
    expect(await policyAt("/api/kyc/7/files/8?scope=a:b")).toMatch(/^default-src 'none';.*; sandbox$/);
    for (const path of ["/icon.svg", "/robots.txt?x", "/help/en/kyc-queue.webp"])
      expect(await policyAt(path)).toBe(FILE_POLICY);
    for (const path of ["/help", "/help/en"]) expect(await policyAt(path)).toContain("'nonce-");
    expect(await policyAt("/.well-known/security.txt")).toBe(ROUTE_POLICY);
    for (const path of ["/kyc", "/api/auth/signin", "/nowhere.txt"])
      expect(await policyAt(path)).toContain("'strict-dynamic'");
  });

  it("ignores a policy sent by the browser, since its nonce could be an attacker's", async () => {
    const { port, seen } = await openServer();
    const given = "script-src 'nonce-evil'";
    await ask(port, { headers: { "content-security-policy": given, "content-security-policy-report-only": given } });
    expect(seen[0]?.policy).not.toContain("evil");
  });

  it("tells a page its own URL, whatever a browser claims", async () => {
    const { port, seen } = await openServer();
    await ask(port, { path: "/kyc?status=PENDING", headers: { "x-retaguarda-address": "/audit" } });
    expect(seen[0]?.headers["x-retaguarda-address"]).toBe("/kyc?status=PENDING");
  });
});

const post = (path: string, bytes: number, headers = {}): Asked => ({
  method: "POST",
  path,
  body: Buffer.alloc(bytes),
  headers: { "content-length": String(bytes), ...headers },
});

const chunked = (path: string, bytes: number, headers = {}): Asked => ({
  method: "POST",
  path,
  body: Buffer.alloc(bytes),
  headers: { "transfer-encoding": "chunked", ...headers },
});

it.each([
  ["/api/hooks/aurora/", "/api/hooks/aurora"],
  ["/api/hooks/aurora//?from=1", "/api/hooks/aurora?from=1"],
])("delivers a webhook to %s directly, as senders follow no redirect", async (path, reached) => {
  const { port, seen } = await openServer();
  expect((await ask(port, post(path, 2))).statusCode).toBe(200);
  expect(seen.map((one) => one.path)).toEqual([reached]);
});

describe("a body", () => {
  it.each([
    ["/kyc", MIB, 200],
    ["/kyc", MIB + 1, 413],
    ["/api/csp-reports", 64 * 1024 + 1, 413],
    ["/api/auth/callback/credentials", 16 * 1024, 200],
    ["/api/auth/callback/credentials", 16 * 1024 + 1, 413],
    ["/kyc", 20 * MIB, 413],
    ["/api/kyc/7/files", 10 * MIB, 200],
    ["/api/kyc/7/files", 10 * MIB + 1, 413],
    ["/api/kyc/7/files/8", MIB + 1, 413],
    ["/api/accounts/7/files", 10 * MIB, 200],
    ["/api/accounts/7/files/8", MIB + 1, 413],
    ["/api/hooks/aurora", MIB / 4, 200],
    ["/api/hooks/aurora", MIB / 4 + 1, 413],
  ])("answers a body to %s of %i bytes with %i", async (path, bytes, status) => {
    const { port, seen } = await openServer();
    const answered = ask(port, post(path, bytes)).then(({ statusCode }) => statusCode);
    // The sender of a body that nobody reads to its end may only see a closed connection.
    expect([status, ...(bytes > 8 * MIB ? ["cut"] : [])]).toContain(await answered.catch(() => "cut"));
    expect(seen).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([
    ["/kyc", MIB],
    ["/api/hooks/aurora", MIB / 4],
    ["/api/auth/callback/credentials", 16 * 1024],
    ["/api/csp-reports", 64 * 1024],
    ["/api/session", 1024],
    ["/_next/data", 1024],
  ])("counts a body to %s without a length: %i bytes, and not one more", async (path, bytes) => {
    const { port, seen } = await openServer();
    expect((await ask(port, chunked(path, bytes))).statusCode).toBe(200);
    for (const headers of [{}, { "next-action": "7f" }]) {
      const { statusCode, headers: answered } = await ask(port, chunked(path, bytes + 1, headers));
      expect([statusCode, answered.connection]).toEqual([413, "close"]);
    }
    expect(seen.map((one) => [one.path, one.bytes])).toEqual([[path, bytes]]);
  });

  it("refuses a file without a length with 411 before reading it", async () => {
    const { port, seen } = await openServer();
    expect((await ask(port, chunked("/api/kyc/7/files", 10))).statusCode).toBe(411);
    expect(seen).toEqual([]);
  });

  it("counts a file towards all buffered bodies until answered", async () => {
    const { port, seen } = await openServer(undefined, { gatheredBytes: 2 * MIB });
    const status = async (asked: Asked) => (await ask(port, asked)).statusCode;
    const headers = { "content-length": String(2 * MIB) };
    const sending = request({ port, method: "POST", path: "/api/kyc/7/files", headers });
    sending.write(Buffer.alloc(1.5 * MIB));
    // A request that arrives before those bytes is still accepted.
    await expect.poll(() => status(post("/kyc", MIB))).toBe(503);
    seen.length = 0;
    const refused = await ask(port, post("/api/kyc/8/files", MIB));
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "5"]);
    sending.end(Buffer.alloc(MIB / 2));
    await expect.poll(() => status(post("/api/kyc/8/files", MIB))).toBe(200);
    expect(seen.map(({ path }) => path)).toEqual(["/api/kyc/7/files", "/api/kyc/8/files"]);
  });

  it("passes a body to the console only when complete", async () => {
    const { port, seen } = await openServer();
    const asking = request({ port, method: "POST", path: "/kyc", headers: { "content-length": "4" } });
    asking.on("error", () => undefined);
    await new Promise((written) => asking.write("ab", written));
    asking.destroy();
    await ask(port, {});
    expect(seen.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("answers 408 to a body or headers that do not end in time", async () => {
    const { port, seen } = await openServer(undefined, { bodyMs: 50, headersMs: 50 });
    const [body, headers] = await Promise.all([
      askBare(port, "POST /kyc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n"),
      askBare(port, "GET / HTTP/1.1\r\nHost: x\r\n"),
    ]);
    for (const text of [body, headers]) expect(text).toMatch(/^HTTP\/1\.1 408 [^]*\r\nConnection: close\r\n/i);
    expect(seen).toEqual([]);
  });

  it("gives a delivery's body its own time limit", async () => {
    const { port } = await openServer(undefined, { bodyMs: 3_600_000, hookMs: 50 });
    const slow = "POST /api/hooks/aurora HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n";
    expect(await askBare(port, slow)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("refuses a body when others leave no room for it", async () => {
    const { port, seen } = await openServer(undefined, { gatheredBytes: 2 * MIB });
    const slow = [1, 2].map(() => connect(port, "127.0.0.1"));
    for (const socket of slow) {
      socket.write(`POST /kyc HTTP/1.1\r\nHost: x\r\nContent-Length: ${MIB}\r\n\r\n`);
      await new Promise((written) => socket.write(Buffer.alloc(MIB - 1), written));
    }
    await expect.poll(async () => (await ask(port, chunked("/kyc", 100))).statusCode).toBe(503);
    for (const socket of slow) socket.destroy();
    await expect.poll(async () => (await ask(port, chunked("/kyc", 100))).statusCode).toBe(200);
    expect(seen.every(({ bytes }) => bytes === 100)).toBe(true);
  });
});

describe("who asks, and by which name", () => {
  it("reads the caller from the connection, not headers; reports an unnamed proxy", async () => {
    const lines = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { port, seen } = await openServer();
    const headers = { "x-retaguarda-client": "198.51.100.7", "x-forwarded-for": "198.51.100.7" };
    await ask(port, { headers });
    await ask(port, { headers });
    expect(seen.map((one) => one.headers["x-retaguarda-client"])).toEqual(["127.0.0.1", "127.0.0.1"]);
    expect(lines.mock.calls.flat().filter((text) => String(text).includes("TRUSTED_PROXIES"))).toHaveLength(1);
  });

  it.each([
    ["https://desk.example", "127.0.0.1:3000", "desk.example"],
    ["https://desk.example", "evil.example", "desk.example"],
    ["http://localhost:3000", "127.0.0.1:3000", "127.0.0.1:3000"],
    ["http://localhost:8080", "127.0.0.1:3000", "localhost:8080"],
    ["http://localhost:3000", "a b", "localhost:3000"],
  ])("tells Next at %s, asked for as %s, the host %s", async (publicUrl, host, named) => {
    const { port, seen } = await openServer(publicUrl);
    await ask(port, { headers: { host, "x-forwarded-host": "evil.example", "x-forwarded-proto": "gopher" } });
    const scheme = publicUrl.split(":", 1)[0];
    expect(seen[0]?.headers).toMatchObject({ host: named, "x-forwarded-host": named, "x-forwarded-proto": scheme });
  });
});

describe("a write, a sign-in or a sign-out that a page sends", () => {
  const paths = [
    "/kyc",
    "/nowhere",
    "/api/kyc",
    "/api/auth/callback/credentials",
    "/api/auth/signout",
    "/api/auth/signin/oidc",
  ];
  const foreign = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:3000.evil.example" },
    { origin: "http://localhost:3001" },
    { origin: "not an origin" },
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];

  it.each(foreign)("refuses a write from another site: %j", async (headers) => {
    const { port, seen } = await openServer();
    for (const path of paths) {
      const forged = { ...headers, "x-forwarded-host": "evil.example", "content-length": "0" };
      expect([path, (await ask(port, { method: "POST", path, headers: forged })).statusCode]).toEqual([path, 403]);
    }
    expect(seen).toEqual([]);
  });

  it.each([{ origin: "http://localhost:3000", "sec-fetch-site": "same-origin" }, { origin: "http://127.0.0.1:3000" }])(
    "accepts a write from our own site: %j",
    async (headers) => {
      const { port, seen } = await openServer();
      for (const path of paths) {
        await ask(port, { method: "POST", path, headers: { ...headers, "content-length": "0" } });
      }
      expect(seen).toHaveLength(paths.length);
    },
  );
});

describe("the build's own files", () => {
  const SCRIPT = "export const rows = 25;\n".repeat(200);
  const PATH = "/_next/static/chunks/a1b2.js";
  let built = "";
  beforeEach(async () => {
    built = mkdtempSync(join(tmpdir(), "retaguarda-built-"));
    await mkdir(join(built, "static/chunks"), { recursive: true });
    await writeFile(join(built, "static/chunks/a1b2.js"), SCRIPT);
    await compressAssets(built);
  });
  afterEach(() => rmSync(built, { recursive: true }));
  const open = () => openServer(undefined, {}, join(built, "assets"));

  async function fetched(port: number, { path = PATH, accepted }: { path?: string; accepted: string }) {
    const asked = request({ port, path, headers: { connection: "close", "accept-encoding": accepted } }).end();
    const [answer]: IncomingMessage[] = await once(asked, "response");
    if (answer === undefined) throw new Error("no answer");
    const bytes = await buffer(answer);
    return { headers: answer.headers, status: answer.statusCode, bytes };
  }

  it.each([
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["identity", undefined, (bytes: Buffer) => bytes],
  ] as const)("sends built files as they are to a client that accepts %s", async (accepted, encoding, plain) => {
    const { port, seen } = await open();
    const { headers, bytes } = await fetched(port, { accepted });
    expect(headers["content-encoding"]).toBe(encoding);
    expect(plain(bytes).toString()).toBe(SCRIPT);
    expect(headers).toMatchObject({
      "content-type": expect.stringMatching(/^text\/javascript/),
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
      "content-security-policy": FILE_POLICY,
      "cross-origin-resource-policy": "same-origin",
    });
    expect(seen).toEqual([]);
  });

  it.each([
    ["what is not there", { path: "/_next/static/chunks/other.js" }],
    ["a way out of the folder", { path: "/_next/static/../../sources.sha256" }],
    ["a page", { path: "/kyc" }],
    ["a write", { path: PATH, method: "POST" }],
  ])("passes %s on", async (_, asked) => {
    const { port, seen } = await open();
    await ask(port, asked);
    expect(seen).toMatchObject([{ path: asked.path }]);
  });
});

describe("pages", () => {
  const PAGE = "<p>one row after the other</p>".repeat(200);

  async function fetched(accepted: string, headers: Record<string, string>) {
    const front = createServer(
      withCompression((_, answer) => {
        answer.writeHead(200, headers);
        answer.write(PAGE);
        answer.end();
      }),
    );
    opened.push(front);
    await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
    const { port } = z.object({ port: z.number() }).parse(front.address());
    const asked = request({ port, headers: { connection: "close", "accept-encoding": accepted } }).end();
    const [answer]: IncomingMessage[] = await once(asked, "response");
    if (answer === undefined) throw new Error("no answer");
    return { encoding: answer.headers["content-encoding"], bytes: await buffer(answer) };
  }

  it.each([
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["identity", undefined, (bytes: Buffer) => bytes],
  ] as const)("are compressed for a client that accepts %s", async (accepted, encoding, plain) => {
    const sent = await fetched(accepted, { "content-type": "text/html; charset=utf-8" });
    expect(sent.encoding).toBe(encoding);
    expect(plain(sent.bytes).toString()).toBe(PAGE);
  });

  it("leaves a stream that must not be changed as it is", async () => {
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store, no-transform" };
    const sent = await fetched("br", headers);
    expect(sent.encoding).toBeUndefined();
    expect(sent.bytes.toString()).toBe(PAGE);
  });
});
