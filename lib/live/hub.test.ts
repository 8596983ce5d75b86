import { beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log/log";
import { PULSE_MS } from "./live";
import { givenHub } from "@/test/support/live";

let scene: Awaited<ReturnType<typeof givenHub>>;

beforeEach(async () => {
  scene = await givenHub();
});

const changed = (...objects: string[]) => ({ kind: "changed", topic: "kyc", objects });
const WHOLE = { kind: "changed", topic: "kyc", objects: null };

describe("an open stream", () => {
  it("sends a reader only permitted changes of their tenant", async () => {
    const ana = scene.opens();
    scene.happens({ object: "mine" });
    scene.happens({ object: "theirs", tenant: "boreal" });
    scene.happens({ topic: "wallets", object: "w1" });
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([changed("mine")]);
  });

  it("sends a burst of a hundred changes in one message", async () => {
    const ana = scene.opens();
    for (let n = 0; n < 100; n += 1) scene.happens({ object: n % 2 === 0 ? "a" : "b" });
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([changed("a", "b")]);
  });

  it("sends a whole topic when too much of it changes", async () => {
    const ana = scene.opens();
    for (let n = 0; n <= 50; n += 1) scene.happens({ object: `k${n}` });
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([WHOLE]);
  });

  it("sends a heartbeat every 15 seconds, with one store query for all", async () => {
    const streams = Array.from({ length: 20 }, () => scene.opens());
    await scene.pass(2 * PULSE_MS);
    expect(streams.map(({ pulses }) => pulses())).toEqual(streams.map(() => 2));
    expect(scene.questions).toEqual([["ana"], ["ana"]]);
  });

  it("spends nothing on a stream after its reader left", async () => {
    scene.opens().leave();
    scene.happens();
    await scene.pass(PULSE_MS);
    expect([scene.hub.size, scene.questions]).toEqual([0, []]);
  });

  it("allows at most thirty streams per session", () => {
    for (let n = 0; n < 30; n += 1) scene.opens();
    expect([scene.hub.mayJoin("ana"), scene.hub.mayJoin("bruno")]).toEqual([false, true]);
  });
});

describe("a session", () => {
  it("ends a stream at the next change after its session's end", async () => {
    const ana = scene.opens();
    scene.standings.delete("ana");
    scene.happens();
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([{ kind: "ended", reason: "signed-out" }]);
    expect([ana.stream.isClosed, scene.hub.size]).toEqual([true, 0]);
  });

  it("ends a stream within 15 seconds of its session's end without any change", async () => {
    const ana = scene.opens();
    scene.standings.delete("ana");
    await scene.pass(PULSE_MS);
    expect(ana.messages()).toEqual([{ kind: "ended", reason: "signed-out" }]);
  });

  it.each([
    ["a role was taken from", { tenant: "aurora", topics: ["kyc"] } as const],
    ["that moved to another tenant", { tenant: "boreal", topics: ["kyc", "onboarding"] } as const],
  ])("%s is told so", async (_, standing) => {
    const ana = scene.opens();
    scene.standings.set("ana", standing);
    scene.happens();
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([{ kind: "ended", reason: "moved" }]);
  });

  it("sends nothing while the session cannot be checked", async () => {
    const warned = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const ana = scene.opens();
    scene.store.isDown = true;
    scene.happens();
    await scene.pass(20_000);
    expect(ana.messages()).toEqual([]);
    expect(warned).toHaveBeenCalled();
    scene.store.isDown = false;
    await scene.pass(2_000);
    expect(ana.messages()).toEqual([changed("k1")]);
  });
});

describe("a reader who joins", () => {
  it("sends a new reader the changes made while the page was loading", async () => {
    scene.happens({ topic: "onboarding" });
    await scene.pass(60_000);
    scene.happens();
    await scene.pass(5_000);
    expect(scene.opens().messages()).toEqual([WHOLE]);
  });

  it("sends a new reader no changes from before the page was requested", async () => {
    scene.happens({ topic: "onboarding" });
    await scene.pass(5_000);
    scene.happens();
    scene.happens({ tenant: "boreal", topic: "onboarding" });
    await scene.pass(1_000);
    expect(scene.opens({ pageAgeMs: 800 }).messages()).toEqual([WHOLE]);
    await scene.pass(60_000);
    expect(scene.opens({ pageAgeMs: 3_600_000 }).messages()).toEqual([]);
  });
});

describe("a reader who takes nothing", () => {
  it("disconnects a stalled reader at the next change", async () => {
    const ana = scene.opens();
    ana.stream.isReady = false;
    scene.happens();
    await scene.pass(1_000);
    expect([ana.messages(), ana.stream.isClosed]).toEqual([[], true]);
  });

  it("disconnects a stalled reader within 15 seconds even without a change", async () => {
    const ana = scene.opens();
    ana.stream.isReady = false;
    await scene.pass(PULSE_MS);
    expect(ana.stream.isClosed).toBe(true);
  });
});

describe("a lost connection to the store", () => {
  it("loses no change: the missed topics are announced once", async () => {
    const ana = scene.opens();
    const id = scene.happens({ object: "heard" });
    await scene.pass(1_000);
    scene.store.stored = [{ id: id + 1, tenant: "aurora", topic: "kyc", object: null }];
    scene.connect();
    await scene.pass(1_000);
    scene.connect();
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([changed("heard"), WHOLE]);
  });

  it("loses no change when it went unnoticed", async () => {
    const ana = scene.opens();
    await scene.pass(1_000);
    scene.store.stored = [{ id: 300, tenant: "aurora", topic: "kyc", object: null }];
    await scene.pass(2 * PULSE_MS);
    expect(ana.messages()).toEqual([WHOLE]);
  });

  it("ignores unknown messages on the channel", async () => {
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const ana = scene.opens();
    for (const payload of ["", "{", "{}", '{"id":"x"}']) scene.say(payload);
    scene.happens();
    await scene.pass(1_000);
    expect(ana.messages()).toEqual([changed("k1")]);
  });
});

it("ends every stream when the process ends", async () => {
  const streams = [scene.opens(), scene.opens()];
  await scene.hub.close();
  expect(streams.map(({ stream }) => stream.isClosed)).toEqual([true, true]);
});
