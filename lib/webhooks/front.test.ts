import { BlockList, connect } from "node:net";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import { createFrontServer } from "@/server/server.mjs";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { countFrontRefusals } from "./front";
import { MAX_BYTES } from "./intake";
import { listReceived } from "./queries";
import { createRefusals, refusals } from "./refusals";

const HOUR_MS = 3_600_000;

beforeAll(() => countFrontRefusals());

const opened: ReturnType<typeof createFrontServer>[] = [];
beforeEach(async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  givenEnv();
  const staffId = await givenStaff(await givenStore(), "support");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["support"] }));
  const neverDue = { after: () => undefined, now: () => new Date() };
  globalThis.retaguardaRefusals = createRefusals(async () => undefined, neverDue);
});
afterEach(() => {
  for (const front of opened.splice(0)) {
    front.closeAllConnections();
    front.close();
  }
  globalThis.retaguardaRefusals = undefined;
});

async function givenFront(limits: { hookMs?: number; gatheredBytes?: number } = {}) {
  const setting = {
    publicUrl: new URL("https://desk.example"),
    isDevelopment: false,
    trusted: new BlockList(),
    isProxyNamed: false,
  };
  const front = createFrontServer(setting, (_, answer) => answer.end("taken"), null, { hookMs: HOUR_MS, ...limits });
  opened.push(front);
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
  return z.object({ port: z.number() }).parse(front.address()).port;
}

type Sent = { clientId?: string; method?: string; length: number | "chunked"; body: string; isLeft?: boolean };

function deliver(port: number, { clientId = "aurora", method = "POST", length, body, isLeft }: Sent): Promise<string> {
  const told = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  const head = `${method} /api/hooks/${clientId} HTTP/1.1\r\nHost: desk.example\r\nConnection: close\r\n${told}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(head + body, () => {
        if (isLeft === true) socket.destroy();
      }),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.once("close", () => resolve(text.slice(9, 12)));
    socket.once("error", reject);
  });
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const TOO_LARGE = { length: MAX_BYTES + 1, body: "x".repeat(MAX_BYTES + 1) };
const ours = () => refusals().gatheredOf("aurora")?.counts ?? {};

it.each<[string, Sent]>([
  ["of a told length", TOO_LARGE],
  ["whose length nobody told", { length: "chunked", body: `${chunk(TOO_LARGE.body)}0\r\n\r\n` }],
])("counts a delivery too large %s for its tenant", async (_, sent) => {
  expect(await deliver(await givenFront(), sent)).toBe("413");
  expect(ours()).toEqual({ "too-large": 1 });
  expect((await listReceived()).refused).toMatchObject({ "too-large": 1, count: 1 });
});

it.each<[string, Sent]>([
  ["of a told length", { length: 100, body: "{" }],
  ["whose length nobody told", { length: "chunked", body: chunk("{") }],
])("counts a delivery too slow %s for its tenant", async (_, sent) => {
  expect(await deliver(await givenFront({ hookMs: 50 }), sent)).toBe("408");
  expect(ours()).toEqual({ "too-slow": 1 });
});

it.each<[string, Sent]>([
  ["of a told length", { length: 100, body: "{", isLeft: true }],
  ["whose length nobody told", { length: "chunked", body: chunk("{"), isLeft: true }],
  ["in the middle of a chunk", { length: "chunked", body: "40\r\n{", isLeft: true }],
  ["by a chunk that is none", { length: "chunked", body: `${chunk("{")}no chunk\r\n` }],
])("counts a delivery cut short %s for its tenant", async (_, sent) => {
  await deliver(await givenFront(), sent);
  await expect.poll(ours).toEqual({ cut: 1 });
});

it("counts a delivery that there was no room for", async () => {
  expect(await deliver(await givenFront({ gatheredBytes: 8 }), { length: 16, body: '{"a":"01234567"}' })).toBe("503");
  expect(ours()).toEqual({ "no-room": 1 });
});

it("counts one sent to nobody of ours, but not for a tenant", async () => {
  const port = await givenFront();
  await deliver(port, { ...TOO_LARGE, clientId: "nobody-at-all" });
  await deliver(port, { ...TOO_LARGE, clientId: "constructor/" });
  await deliver(port, { ...TOO_LARGE, clientId: "auror%61//" });
  expect(ours()).toEqual({ "too-large": 1 });
});

it("counts neither what was taken nor what is no delivery", async () => {
  const port = await givenFront();
  expect(await deliver(port, { length: 2, body: "{}" })).toBe("200");
  expect(await deliver(port, { length: "chunked", body: `${chunk("{}")}0\r\n\r\n` })).toBe("200");
  expect(await deliver(port, { method: "PUT", length: 2, body: "{}" })).toBe("405");
  expect(await deliver(port, { ...TOO_LARGE, clientId: "aurora/more" })).toBe("413");
  await deliver(port, { clientId: "aurora/more", length: 100, body: "{", isLeft: true });
  expect(await deliver(port, { length: 2, body: "{}" })).toBe("200");
  expect(ours()).toEqual({});
});
