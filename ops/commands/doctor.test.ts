import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { compareClocks, examineAddress } from "./doctor";
import { freePort } from "@/test/support/temporary-product.mjs";

const opened: Server[] = [];
afterEach(() => Promise.all(opened.splice(0).map((server) => new Promise((closed) => server.close(closed)))));

/** A URL with this answer. */
async function answering(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  opened.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return new URL(`http://127.0.0.1:${port}`);
}

/** Each finding on one line, without the varying address. */
async function say(url: URL): Promise<string[]> {
  const findings = await examineAddress(url);
  return findings.map(({ level, text }) => `${level} ${text.replace(url.origin, "URL")}`);
}

it("reports whether PUBLIC_URL reaches this console, another server or nothing", async () => {
  const ready = await answering((_, response) => response.writeHead(200, { "x-frame-options": "DENY" }).end());
  const silent = await answering((_, response) => response.writeHead(503, { "x-frame-options": "DENY" }).end());
  const other = await answering((_, response) => response.end("Welcome to nginx!"));
  const nobody = new URL(`http://127.0.0.1:${await freePort()}`);
  expect(await say(ready)).toEqual(["ok URL answers as ready, with the console's headers"]);
  expect(await say(silent)).toEqual(["bad URL answers HTTP 503: the console runs and cannot reach its store"]);
  expect(await say(other)).toEqual([
    "bad URL answers (HTTP 200) without the console's headers: it is not this console, or the proxy takes them off",
  ]);
  expect(await say(nobody)).toEqual([
    expect.stringMatching(/^bad URL does not answer \(.*ECONNREFUSED.*\): is the console running, and the proxy\?$/),
  ]);
});

it("reports a clock difference once it matters", () => {
  expect(compareClocks("clock", 4_000).level).toBe("ok");
  expect(compareClocks("clock", -90_000)).toEqual({
    level: "warn",
    about: "clock",
    text: "is 90 s behind this machine: codes of authenticator apps and times on screen go by this machine, so run NTP here",
  });
});
