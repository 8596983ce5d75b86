import { createHook } from "node:async_hooks";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSettings } from "@/service/settings";
import { createPost, guardedLookup } from "./post";
import { listen, type Listening } from "@/test/support/service/webhooks";

const never = new AbortController().signal;

/** The DNS answers. */
const NAMES: Record<string, string[]> = {
  "loopback.example": ["127.0.0.1"],
  "loopback6.example": ["::1"],
  "private.example": ["10.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "half-public.example": ["93.184.216.34", "127.0.0.1"],
  "half-public6.example": ["2606:4700::1111", "::1"],
  "localhost.": ["127.0.0.1"],
  "sub.localhost": ["127.0.0.1"],
  "nowhere.example": [],
};

let connects = 0;
const counter = createHook({
  init: (_, type) => {
    if (type === "TCPCONNECTWRAP") connects += 1;
  },
});
beforeAll(() => counter.enable());
afterAll(() => counter.disable());

let arrivals = 0;
let sink: Listening;
beforeEach(async () => {
  sink = await listen(createServer(() => (arrivals += 1)));
  [connects, arrivals] = [0, 0];
});
afterEach(() => sink.close());

const resolve = async (hostname: string) => NAMES[hostname] ?? [];

const send = (url: string, environment: Record<string, string> = {}) => {
  const post = createPost(readSettings(environment), { resolve });
  return post({ url: url.replace("PORT", String(sink.port)), headers: {}, body: "{}" }, never);
};

const FORBIDDEN_ADDRESSES = [
  "https://127.1:PORT/",
  "https://127.0.1:PORT/",
  "https://0x7f.1:PORT/",
  "https://0x7f000001:PORT/",
  "https://0177.0.0.1:PORT/",
  "https://2130706433:PORT/",
  "https://127.0.0.1.:PORT/",
  "https://１２７.０.０.１:PORT/",
  "https://127.0.0.2:PORT/",
  "https://0.0.0.0:PORT/",
  "https://10.0.0.1:PORT/",
  "https://100.64.0.1:PORT/",
  "https://169.254.169.254/latest/meta-data/",
  "https://172.16.0.1:PORT/",
  "https://192.168.0.1:PORT/",
  "https://198.18.0.1:PORT/",
  "https://224.0.0.1:PORT/",
  "https://255.255.255.255:PORT/",
  "https://[::]:PORT/",
  "https://[::1]:PORT/",
  "https://[0:0:0:0:0:0:0:1]:PORT/",
  "https://[::127.0.0.1]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://[::ffff:10.0.0.1]:PORT/",
  "https://[64:ff9b::127.0.0.1]:PORT/",
  "https://[2002:7f00:1::]:PORT/",
  "https://[2001:0:7f00:1::1]:PORT/",
  "https://[fd00::1]:PORT/",
  "https://[fe80::1]:PORT/",
  "https://[ff02::1]:PORT/",
  "https://loopback.example:PORT/",
  "https://LOOPBACK.example:PORT/",
  "https://loopback6.example:PORT/",
  "https://private.example:PORT/",
  "https://metadata.example:PORT/",
  "https://mapped.example:PORT/",
  "https://half-public.example:PORT/",
  "https://half-public6.example:PORT/",
  "https://localhost.:PORT/",
  "https://sub.localhost:PORT/",
];

describe("a webhook's URL", () => {
  test.each(FORBIDDEN_ADDRESSES)("%s opens no connection", async (url) => {
    expect(await send(url)).toEqual({ httpStatus: null, error: "address-not-allowed" });
    expect([connects, arrivals]).toEqual([0, 0]);
  });

  test.each([
    "http://hooks.example:PORT/",
    "http://10.0.0.1:PORT/",
    "http://127.0.0.2:PORT/",
    "http://[::1]:PORT/",
    "https://user@127.0.0.1:PORT/",
    "https://user:password@127.0.0.1:PORT/",
    "ftp://127.0.0.1:PORT/",
    "file:///etc/passwd",
  ])("%s is refused, even where this machine's http is allowed", async (url) => {
    expect(await send(url, { SERVICE_ALLOW_LOOPBACK_HTTP: "true" })).toMatchObject({ error: "url-not-allowed" });
    expect([connects, arrivals]).toEqual([0, 0]);
  });

  test.each(["http://127.0.0.1:PORT/", "http://localhost:PORT/"])(
    "%s is allowed only where this machine's http is",
    async (url) => {
      expect(await send(url)).toMatchObject({ error: "url-not-allowed" });
      expect([connects, arrivals]).toEqual([0, 0]);
    },
  );

  test("opens no connection to a host without an address", async () => {
    expect(await send("https://nowhere.example:PORT/")).toMatchObject({ error: "host-not-found" });
    expect(connects).toBe(0);
  });

  test.each(["https://127.0.0.1:PORT/", "https://localhost:PORT/", "https://LOCALHOST:PORT/"])(
    "%s is reached only when the settings name its host",
    async (url) => {
      const refused = await send(url, { SERVICE_WEBHOOK_HOSTS: "hooks.internal" });
      expect(refused.error).toMatch(/^(address-not-allowed|host-not-found)$/);
      expect(connects).toBe(0);
      const reached = send(url);
      await expect.poll(() => arrivals).toBe(1);
      expect(connects).toBeGreaterThan(0);
      await sink.close();
      expect(await reached).toMatchObject({ httpStatus: null });
    },
  );
});

const lookupAll = (answers: string[][]) => {
  let questions = 0;
  const lookup = guardedLookup(async () => answers[questions++] ?? [], false);
  return { ask: () => promisify(lookup)("rebound.example", { all: true }), questions: () => questions };
};

describe("a resolver that changes its mind", () => {
  test("resolves a host once per connection, which goes to the checked address", async () => {
    const { ask, questions } = lookupAll([["93.184.216.34", "2606:4700::1111"], ["127.0.0.1"]]);
    expect(await ask()).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:4700::1111", family: 6 },
    ]);
    expect(questions()).toBe(1);
    await expect(ask()).rejects.toThrow("address-not-allowed");
  });

  test("never leads a retry to this machine", async () => {
    let questions = 0;
    const answers = [["::1"], ["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]];
    const post = createPost(readSettings({}), { resolve: async () => answers[questions++] ?? [] });
    for (const _ of answers) await post({ url: `https://rebound.example:${sink.port}/`, headers: {}, body: "" }, never);
    expect([questions, connects, arrivals]).toEqual([4, 0, 0]);
  });
});
