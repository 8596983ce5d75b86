import { randomUUID } from "node:crypto";
import { asc } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { parseJson } from "@/lib/contract/json";
import { unseal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { MAX_BYTES, takeDelivery } from "./intake";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { deliveryOf, givenIntake, PREVIOUS, SECRET, signed } from "@/test/support/webhooks";

const CPF = "52998224725";
const payload = () => ({ onBoardingId: randomUUID(), status: "PROCESSING", account: { documentNumber: CPF } });

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const rows = () => db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq));
const take = (request: Request, clientId = "aurora") => takeDelivery(givenIntake(db).deps, clientId, request);

describe("a delivery with a right signature", () => {
  it("stores a delivery as one sealed waiting row and returns 204", async () => {
    const { deps, rung, refused } = givenIntake(db);
    const said = payload();
    expect(await takeDelivery(deps, "aurora", deliveryOf(said, { id: "evt-1" }))).toBe(204);
    const [row] = await rows();
    expect(row).toMatchObject({ tenant: "aurora", event: "onboarding-create", eventId: "evt-1", state: "WAITING" });
    expect(row).toMatchObject({ wakes: "onboarding", arrivals: 1, isByPreviousSecret: false, doneAt: null });
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${CPF}|${said.onBoardingId}`));
    const place = { column: "webhook_event.body_sealed", row: ["aurora", row?.id ?? ""] } as const;
    expect(parseJson(unseal(row?.bodySealed ?? "", place))).toEqual(said);
    expect([rung, refused]).toEqual([["aurora"], []]);
  });

  it("accepts a delivery signed with the previous secret, and says so", async () => {
    const body = JSON.stringify(payload());
    expect(await take(deliveryOf(body, { signature: signed(body, PREVIOUS) }))).toBe(204);
    expect(await rows()).toMatchObject([{ isByPreviousSecret: true }]);
  });

  it("accepts a delivery in parts, signed over all bytes", async () => {
    const text = JSON.stringify({ message: "ação 👍" });
    const bytes = Buffer.from(text);
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await take(deliveryOf(text, { body }))).toBe(204);
    expect(await rows()).toMatchObject([{ sizeBytes: bytes.length }]);
  });

  it.each([
    ["of a type that nobody documented", "moon-phase", { phase: "full", unknown: { deep: [1, "two"] } }],
    ["without a type", "", { phase: "full" }],
    ["that is no object", "onboarding", "[1,2,3]"],
  ])("%s is stored and wakes nothing", async (_, event, said) => {
    expect(await take(deliveryOf(said, { event }))).toBe(204);
    expect(await rows()).toMatchObject([{ event, state: "KEPT", wakes: null, hintKey: null }]);
  });

  it("reads a delivery's object from its signed body, not the unsigned header", async () => {
    await take(deliveryOf(payload(), { event: "crypto-cash-in" }));
    await take(deliveryOf({ walletId: "w-1", network: "POLYGON" }, { event: "onboarding-create" }));
    expect((await rows()).map(({ wakes }) => wakes)).toEqual(["onboarding", "wallets"]);
  });

  it("stores a delivery that names another client, and wakes nothing", async () => {
    expect(await take(deliveryOf({ ...payload(), clientId: "boreal" }))).toBe(204);
    expect(await rows()).toMatchObject([{ tenant: "aurora", state: "FOREIGN", wakes: null, hintKey: null }]);
  });

  it("keeps a UTF-8 name in a delivery's headers, and hashes one too long", async () => {
    const event = Buffer.from("depósito").toString("latin1");
    await take(deliveryOf(payload(), { event, id: "e".repeat(5_000) }));
    expect(await rows()).toMatchObject([
      { event: "depósito", eventId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    ]);
  });

  it("acknowledges no delivery that it cannot store, so the provider retries", async () => {
    const { deps, rung } = givenIntake(db, { save: () => Promise.reject(new Error("no room")) });
    await expect(takeDelivery(deps, "aurora", deliveryOf(payload()))).rejects.toThrow("no room");
    expect(rung).toEqual([]);
  });
});

describe("what is no delivery of the provider's", () => {
  const whole = JSON.stringify(payload());
  const right = signed(whole);
  const bit = (at: number) => right.slice(0, at) + (right[at] === "0" ? "1" : "0") + right.slice(at + 1);

  it.each<[string, string, string | null, string?]>([
    ["with the first sign of its signature changed", whole, bit(0)],
    ["with the last sign of its signature changed", whole, bit(63)],
    ["with one in the middle changed", whole, bit(31)],
    ["signed in capitals", whole, right.toUpperCase()],
    ["signed with a prefix", whole, `sha256=${right}`],
    ["signed with half of it", whole, right.slice(0, 32)],
    ["signed with a sign too many", whole, `${right}0`],
    ["signed twice over", whole, `${right},${right}`],
    ["signed with nothing", whole, ""],
    ["not signed", whole, null],
    ["signed with what is no hex", whole, "z".repeat(64)],
    ["signed in base64", whole, Buffer.from(right, "hex").toString("base64")],
    ["with another tenant's secret", whole, signed(whole, "another tenant's secret")],
    ["signed with an empty secret", whole, signed(whole, "")],
    ["signed with the tenant's name", whole, signed(whole, "aurora")],
    ["with one letter of its body changed", whole.replace("PROCESSING", "PROCESSINg"), right],
    ["written again by a parser", JSON.stringify(JSON.parse(whole), null, 1), right],
    ["with a blank behind its body", `${whole} `, right],
    ["with an empty body", "", right],
    ["to a tenant that has no secret", whole, right, "silent"],
    ["to a tenant that has no secret, signed with an empty one", whole, signed(whole, ""), "silent"],
    ["to nobody", whole, right, "nobody-at-all"],
    ["to a name that every object has", whole, right, "constructor"],
  ])("%s is answered with 401 and leaves no row", async (...given) => {
    const [, sent, signature, clientId = "aurora"] = given;
    const { deps, refused, rung } = givenIntake(db);
    expect(await takeDelivery(deps, clientId, deliveryOf(sent, { signature }))).toBe(401);
    expect(await rows()).toEqual([]);
    expect(rung).toEqual([]);
    const isOurs = clientId === "aurora" || clientId === "silent";
    const why = (signature ?? "").trim() === "" ? "unsigned" : "signature";
    expect(refused).toEqual([[isOurs ? clientId : null, why]]);
  });

  it.each([
    ["text", "no json"],
    ["half of an object", '{"a":'],
    ["two objects", "{}{}"],
    ["nothing", ""],
    ["brackets without end", "[".repeat(100_000)],
    ["a hundred levels", `${"[".repeat(100)}${"]".repeat(100)}`],
  ])("answers 400 when a body is %s, though signed", async (_, text) => {
    const { deps, refused } = givenIntake(db);
    expect(await takeDelivery(deps, "aurora", deliveryOf(text))).toBe(400);
    expect(refused).toEqual([["aurora", "unreadable"]]);
    expect(await rows()).toEqual([]);
  });

  it("answers 400 when a body is no UTF-8, though signed", async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(await take(deliveryOf("", { body: bytes, signature: signed(bytes) }))).toBe(400);
  });

  it.each([
    ["by its own account", (text: string) => deliveryOf(text, { headers: { "content-length": String(text.length) } })],
    ["without saying so", (text: string) => deliveryOf(text, { body: new Blob([text]).stream() })],
    ["and says that it is short", (text: string) => deliveryOf(text, { headers: { "content-length": "10" } })],
  ])("answers 413 when a body is too long %s", async (_, made) => {
    const { deps, refused } = givenIntake(db);
    const text = JSON.stringify({ a: "x".repeat(MAX_BYTES) });
    expect(await takeDelivery(deps, "aurora", made(text))).toBe(413);
    expect(await takeDelivery(deps, "nobody-at-all", made(text))).toBe(413);
    expect(refused).toEqual([
      ["aurora", "too-large"],
      [null, "too-large"],
    ]);
  });

  it("answers 408 when a body is slow, and reads no further", async () => {
    const over = new AbortController();
    let isLeft = false;
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(Buffer.from("{"));
        over.abort();
        return new Promise<void>(() => {});
      },
      cancel: () => {
        isLeft = true;
      },
    });
    const { deps, refused } = givenIntake(db, { expiry: () => over.signal });
    expect(await takeDelivery(deps, "aurora", deliveryOf("{}", { body }))).toBe(408);
    expect(isLeft).toBe(true);
    expect(refused).toEqual([["aurora", "too-slow"]]);
  });

  it("answers 400 when a body is cut off, and counts it as that", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    const { deps, refused } = givenIntake(db);
    expect(await takeDelivery(deps, "aurora", deliveryOf("{}", { body }))).toBe(400);
    expect(refused).toEqual([["aurora", "cut"]]);
  });
});

const never = () => new Promise<void>(() => {});

describe("a sender that stops in the middle of a body", () => {
  it("answers 408 even while the sender's stream hangs", async () => {
    const over = new AbortController();
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(Buffer.from("{"));
        over.abort();
        return never();
      },
      // Like a body in Next: leaving it waits for the requested chunk.
      cancel: never,
    });
    const { deps } = givenIntake(db, { expiry: () => over.signal });
    expect(await takeDelivery(deps, "aurora", deliveryOf("{}", { body }))).toBe(408);
  }, 20_000);
});

describe("a delivery that comes again", () => {
  it("stores one row for copies that arrive together, and acknowledges all", async () => {
    const said = payload();
    const copies = Array.from({ length: 100 }, () => take(deliveryOf(said, { id: "evt-1" })));
    expect(new Set(await Promise.all(copies))).toEqual(new Set([204]));
    expect(await rows()).toMatchObject([{ arrivals: 100, otherBodies: 0 }]);
  });

  it("stores another event under another id, which waits to be handled", async () => {
    const said = payload();
    for (const id of ["evt-1", "evt-2"]) await take(deliveryOf(said, { id }));
    const waiting = { state: "WAITING", arrivals: 1 };
    expect(await rows()).toMatchObject([
      { eventId: "evt-1", ...waiting },
      { eventId: "evt-2", ...waiting },
    ]);
  });

  it("keeps a delivery without an id apart from one with it and the same body", async () => {
    const said = payload();
    await take(deliveryOf(said, { id: "evt-1" }));
    for (let time = 0; time < 2; time += 1) await take(deliveryOf(said, { id: null }));
    await take(deliveryOf(said, { id: "evt-1" }));
    expect(await rows()).toMatchObject([
      { eventId: "evt-1", arrivals: 2, state: "WAITING" },
      { eventId: null, arrivals: 2, state: "WAITING" },
    ]);
  });

  it("stores one row for copies without ids that arrive together", async () => {
    const said = payload();
    await Promise.all(Array.from({ length: 20 }, () => take(deliveryOf(said, { id: null }))));
    expect(await rows()).toMatchObject([{ eventId: null, arrivals: 20 }]);
  });

  it("keeps one row for an id with another body, and counts the difference", async () => {
    await take(deliveryOf(payload(), { id: "evt-1" }));
    const [before] = await rows();
    expect(await take(deliveryOf(payload(), { id: "evt-1" }))).toBe(204);
    const { bodySealed, hintKey } = before ?? {};
    expect(await rows()).toMatchObject([{ arrivals: 2, otherBodies: 1, bodySealed, hintKey }]);
  });

  it("stores another event at another tenant", async () => {
    const body = JSON.stringify({ a: 1 });
    await take(deliveryOf(body, { id: "evt-1" }));
    const signature = signed(body, "another tenant's secret");
    expect(await take(deliveryOf(body, { id: "evt-1", signature }), "boreal")).toBe(204);
    expect((await rows()).map(({ tenant, arrivals }) => [tenant, arrivals])).toEqual([
      ["aurora", 1],
      ["boreal", 1],
    ]);
  });

  it("recognises a repeated delivery during a data key change", async () => {
    const said = payload();
    const { dataKeys } = givenEnv();
    await take(deliveryOf(said, { id: null }));
    const next = { id: "00000002", bytes: Buffer.alloc(32, 8) };
    givenEnv({ dataKeys: [next, ...dataKeys] });
    await take(deliveryOf(said, { id: null }));
    expect(await rows()).toMatchObject([{ arrivals: 2 }]);
  });
});

it("never stores the webhook's secret", async () => {
  await take(deliveryOf(payload()));
  expect(JSON.stringify(await rows())).not.toContain(SECRET);
});
