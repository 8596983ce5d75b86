import { beforeEach, describe, expect, it } from "vitest";
import { sessionOf } from "@/test/support/auth";
import { topicScopeOf } from "@/lib/permission/topics";
import { openStream } from "./live";
import { givenHub } from "@/test/support/live";

const session = sessionOf({ idHash: "ana", roles: ["support"] });

let scene: Awaited<ReturnType<typeof givenHub>>;
let gone: AbortController;

beforeEach(async () => {
  scene = await givenHub();
  scene.standings.set("ana", topicScopeOf(session));
  gone = new AbortController();
});

async function opens() {
  const stream = await openStream(scene.hub, { session, address: null, gone: gone.signal });
  const reader = stream?.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, next: async () => (await reader?.read())?.value };
}

describe("the stream of a reader", () => {
  it("starts by saying that it is open and when to reconnect", async () => {
    const { next } = await opens();
    expect(await next()).toMatch(/^retry: [1-5]\d{3}\ndata: {"kind":"open"}\n\n$/);
  });

  it("carries each change to the reader", async () => {
    const { next } = await opens();
    await next();
    scene.happens({ object: "k7" });
    await scene.pass(1_000);
    expect(await next()).toBe('data: {"kind":"changed","topic":"kyc","objects":["k7"]}\n\n');
  });

  it("spends nothing on a stream once the reader is gone", async () => {
    const { reader } = await opens();
    await opens();
    expect(scene.hub.size).toBe(2);
    gone.abort();
    expect(scene.hub.size).toBe(0);
    await reader?.cancel();
  });

  it("spends nothing on a stream once cancelled", async () => {
    const { reader } = await opens();
    await reader?.cancel();
    expect(scene.hub.size).toBe(0);
    scene.happens();
    await scene.pass(60_000);
  });

  it("buffers little for a reader that does not read", async () => {
    const { next } = await opens();
    for (let n = 0; n < 1_000; n += 1) {
      for (const object of [`case-${n}-a`, `case-${n}-b`]) scene.happens({ object });
      if (n % 5 === 0) await scene.pass(250);
    }
    gone.abort();
    let text = "";
    for (let part = await next(); part !== undefined; part = await next()) text += part;
    expect(text.length).toBeLessThan(32_000);
  });
});
