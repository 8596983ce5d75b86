import { setImmediate as settled } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log/log";
import { type Harness, startService, AURORA } from "@/test/support/service/harness";
import type { Tokens } from "./token";
import { granted, HOUR_MS, incoming, later, MINUTE_MS, secretOf, tokenFixture } from "@/test/support/provider";
import type { Incoming, Outgoing } from "./wire-http";

let fixture: ReturnType<typeof tokenFixture>;
let tokens: Tokens;

beforeEach(() => {
  fixture = tokenFixture();
  tokens = fixture.process();
});

const valueOf = async (from = tokens) => (await from.get(fixture.now() + 20_000)).value;
const failureOf = (from = tokens): Promise<unknown> =>
  valueOf(from).then(
    (value) => `no failure, but ${value}`,
    (reason: unknown) => reason,
  );

const isDown = () => incoming(503, "");
const refuses = () => incoming(401, { message: "Invalid client credentials" });
const knows = (secret: string) => (request: Outgoing, nth: number) =>
  secretOf(request) === secret ? granted(nth) : refuses();

describe("while the provider gives no token", () => {
  it("uses the valid token to its end while the provider gives none", async () => {
    await valueOf();
    fixture.answer = isDown;
    fixture.advance(HOUR_MS - 15 * MINUTE_MS);
    expect(await valueOf()).toBe("token-1");
    fixture.advance(10 * MINUTE_MS);
    const startMs = fixture.now();
    for (const [nth, dueS] of [0, 1, 3, 7, 15, 31, 61, 91, 121, 151, 181, 211, 241, 271].entries()) {
      fixture.advance(startMs + dueS * 1_000 - 1 - fixture.now());
      expect(await valueOf()).toBe("token-1");
      expect(fixture.requests).toHaveLength(1 + nth);
      fixture.advance(1);
      expect(await valueOf()).toBe("token-1");
      await settled();
      expect(fixture.requests).toHaveLength(2 + nth);
    }
    fixture.answer = (_, nth) => granted(nth);
    fixture.advance(30_000);
    expect(await valueOf()).toBe("token-16");
  });

  it("waits a second, then twice as long each time, up to half a minute", async () => {
    fixture.answer = isDown;
    const askedAtMs: number[] = [];
    const startMs = fixture.now();
    for (let tick = 0; tick < 1_210; tick += 1, fixture.advance(100)) {
      const before = fixture.requests.length;
      expect(await failureOf()).toMatchObject({
        kind: "unavailable",
        details: { code: "token-unavailable", mayHaveExecuted: false },
      });
      if (fixture.requests.length > before) askedAtMs.push(fixture.now() - startMs);
    }
    expect(askedAtMs).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000, 61_000, 91_000]);
  });

  it("tells callers when to retry, and honours Retry-After", async () => {
    fixture.answer = () => incoming(429, "", { "retry-after": "7" });
    expect(await failureOf()).toMatchObject({ kind: "rate-limited", details: { retryAfterMs: 7_000 } });
    fixture.advance(6_900);
    expect(await failureOf()).toMatchObject({ kind: "rate-limited", details: { retryAfterMs: 100 } });
    expect(fixture.requests).toHaveLength(1);
    fixture.advance(100);
    fixture.answer = (_, nth) => granted(nth);
    expect(await valueOf()).toBe("token-2");
  });

  it("treats a failed connection like any other failure", async () => {
    fixture.answer = () => Promise.reject(new Error("connection refused"));
    expect(await failureOf()).toMatchObject({ kind: "unavailable", details: { code: "token-unavailable" } });
  });
});

describe("credentials that are refused", () => {
  it.each([400, 401, 403])("recognises refused credentials by a %i, as the interface does not say", async (status) => {
    fixture.answer = () => incoming(status, { message: "Invalid client credentials" });
    expect(await failureOf()).toMatchObject({ kind: "forbidden", details: { code: "token-refused", status } });
  });

  it.each([
    [402, "restricted", "token-unavailable"],
    [404, "malformed", "token-not-readable"],
    [409, "malformed", "token-not-readable"],
    [500, "unavailable", "token-unavailable"],
  ])("concludes no refused credentials from a %i, nor from the call's own answer", async (status, kind, code) => {
    fixture.answer = () => incoming(status, { message: "no" });
    fixture.credentials = { clientSecret: "secret-two", previousClientSecret: "secret-one" };
    expect(await failureOf()).toMatchObject({ kind, details: { code, status } });
    expect(fixture.requests).toHaveLength(1);
  });

  it("reports refused credentials at once, and does not retry early", async () => {
    fixture.answer = refuses;
    const told = { kind: "forbidden", details: { code: "token-refused", mayHaveExecuted: false } };
    expect(await failureOf()).toMatchObject(told);
    expect(await failureOf()).toMatchObject(told);
    expect(fixture.requests).toHaveLength(1);
  });

  it("replaces refused credentials without a restart or a pause", async () => {
    fixture.answer = knows("secret-two");
    expect(await failureOf()).toMatchObject({ kind: "forbidden" });
    fixture.credentials = { clientSecret: "secret-two" };
    expect(await valueOf()).toBe("token-2");
  });

  it("falls back once to the previous secret while the new one is unknown", async () => {
    fixture.answer = knows("secret-one");
    fixture.credentials = { clientSecret: "secret-two", previousClientSecret: "secret-one" };
    expect(await valueOf()).toBe("token-2");
    expect(fixture.requests.map(secretOf)).toEqual(["secret-two", "secret-one"]);
  });

  it("changes credentials under a live token, for the next one", async () => {
    await valueOf();
    fixture.credentials = { clientSecret: "secret-two", previousClientSecret: "secret-one" };
    fixture.answer = knows("secret-two");
    fixture.advance(HOUR_MS - 5 * MINUTE_MS);
    expect(await valueOf()).toBe("token-1");
    await vi.waitFor(async () => expect(await valueOf()).toBe("token-2"));
    expect(fixture.requests.map(secretOf)).toEqual(["secret-one", "secret-two"]);
  });

  it("leaves no secret in an error or the log", async () => {
    const lines = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    fixture.answer = () => incoming(401, { message: `no secret-one here, nor ${btoa("aurora:secret-one")}` });
    const error = await failureOf();
    const traces = [error, lines.mock.calls].map((trace) =>
      JSON.stringify(trace, (_, value: unknown) =>
        value instanceof Error ? [Object.entries(value), value.message, value.stack] : value,
      ),
    );
    expect(lines).toHaveBeenCalled();
    for (const trace of traces) expect(trace).not.toMatch(/secret-one|YXVyb3JhOn/);
  });
});

describe("what a token request is answered", () => {
  it.each<[string, Incoming, number]>([
    ["0", granted(1, 0), 60],
    ["-1", granted(1, -1), 60],
    ['"3600"', granted(1, "3600"), 3_600],
    ["1e12", granted(1, 1e12), 86_400],
  ])("accepts a token with a lifetime of %s for some time, without a loop", async (_, answer, seconds) => {
    fixture.answer = (_request, nth) => (nth === 1 ? answer : later().promise);
    await valueOf();
    fixture.advance((seconds - 1) * 1_000);
    expect(await valueOf()).toBe("token-1");
    fixture.advance(1);
    void tokens.get(fixture.now()).catch(() => undefined);
    await vi.waitFor(() => expect(fixture.requests).toHaveLength(2));
  });

  it("accepts a token's answer with a byte order mark", async () => {
    fixture.answer = () => incoming(201, `\uFEFF${JSON.stringify({ access_token: "token-1", expires_in: 3_600 })}`);
    expect(await valueOf()).toBe("token-1");
  });

  it.each<[string, Incoming]>([
    ["a page", incoming(200, "<html>Sign in</html>")],
    ["nothing", incoming(204, "")],
    ["null", incoming(200, "null")],
    ["no lifetime", incoming(201, { access_token: "t" })],
    ["an empty token", incoming(201, { access_token: "", expires_in: 3_600 })],
    ["a token that no header takes", incoming(201, { access_token: "token\n1", expires_in: 3_600 })],
    ["a token of two words", incoming(201, { access_token: "token 1", expires_in: 3_600 })],
    ["a redirect", incoming(302, "", { location: "https://elsewhere.example" })],
    ["half of it", incoming(201, '{"access_token":"token-1","expi')],
  ])("finds no token in %s, and does not quote it", async (_, answer) => {
    fixture.answer = () => answer;
    expect(await failureOf()).toMatchObject({
      kind: "malformed",
      details: { code: "token-not-readable" },
      cause: undefined,
    });
  });
});

describe("against the service", () => {
  let service: Harness;
  const paths: string[] = [];

  async function overHttp({ method, url, headers }: Outgoing): Promise<Incoming> {
    paths.push(url.pathname);
    const response = await service.app.request(url.pathname, { method, headers });
    const text = await response.text();
    return { status: response.status, header: (name) => response.headers.get(name), text };
  }

  it.each([-10, 0, 10])("never gets an expired token from a clock %i minutes off", async (minutes) => {
    service = await startService();
    paths.length = 0;
    const skewed = tokenFixture(overHttp);
    skewed.credentials = { clientSecret: AURORA.clientSecret };
    const process = skewed.process({ skewMs: minutes * MINUTE_MS });
    for (let minute = 0; minute < 180; minute += 1) {
      const { value } = await process.get(skewed.now() + minutes * MINUTE_MS + 20_000);
      const headers = { authorization: `Bearer ${value}`, "x-client-id": "aurora" };
      expect((await service.app.request("/v1/webhooks", { headers })).status).toBe(200);
      await service.advance(MINUTE_MS);
      skewed.advance(MINUTE_MS);
    }
    // Renewing revokes nothing, which might end other processes' tokens.
    expect(new Set(paths)).toEqual(new Set(["/v1/authentication/oauth/access-token"]));
    expect(paths.length).toBeLessThanOrEqual(4);
  });
});
