import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { webhookEvent, webhookRefusal } from "@/lib/db/tables/webhooks";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { deliveryOf, givenIntake, signed } from "@/test/support/webhooks";
import { takeDelivery } from "./intake";
import { listRefused } from "./queries";
import { createRefusals, recordRefused, refusals, type RefusedDelivery } from "./refusals";

const CPF = "52998224725";

let db: Db;
let told: RefusedDelivery[] = [];
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: await givenStaff(db, "support"), roles: ["support"] }));
  told = [];
  const due: (() => void)[] = [];
  globalThis.retaguardaRefusals = createRefusals(async (refused) => void told.push(refused), {
    after: (_, run) => void due.push(run),
    now: () => new Date(),
  });
  return () => {
    globalThis.retaguardaRefusals = undefined;
  };
});

const intake = () => givenIntake(db, { refuse: (...refused) => refusals().refuse(...refused) }).deps;
const deliver = (request: Request, clientId = "aurora") => takeDelivery(intake(), clientId, request);

/** As the minute's end does. */
async function keep(): Promise<void> {
  await refusals().end();
  for (const { tenant, ...gathered } of told.splice(0)) if (tenant !== null) await recordRefused(tenant, gathered);
}

const ids = async (filter: Parameters<typeof listRefused>[0]) =>
  (await listRefused(filter)).rows.map(({ eventId }) => eventId);

const whole = JSON.stringify({ onBoardingId: "an-onboarding", account: { documentNumber: CPF } });
const right = signed(whole);
const bit = (at: number) => right.slice(0, at) + (right[at] === "0" ? "1" : "0") + right.slice(at + 1);

const TAMPERED: [how: string, body: string, signature: string | null, why: string, form: string][] = [
  ["its first sign changed", whole, bit(0), "signature", "well-formed"],
  ["its last sign changed", whole, bit(63), "signature", "well-formed"],
  ["one in the middle changed", whole, bit(31), "signature", "well-formed"],
  ["in capitals", whole, right.toUpperCase(), "signature", "capitals"],
  ["prefixed", whole, `sha256=${right}`, "signature", "prefixed"],
  ["half of it", whole, right.slice(0, 32), "signature", "length"],
  ["a sign too many", whole, `${right}0`, "signature", "length"],
  ["twice over", whole, `${right},${right}`, "signature", "several"],
  ["empty", whole, "", "unsigned", "absent"],
  ["none", whole, null, "unsigned", "absent"],
  ["no hex", whole, "z".repeat(64), "signature", "not-hex"],
  ["in base64", whole, Buffer.from(right, "hex").toString("base64"), "signature", "not-hex"],
  ["another tenant's secret", whole, signed(whole, "another tenant's secret"), "signature", "well-formed"],
  ["an empty secret", whole, signed(whole, ""), "signature", "well-formed"],
  ["the tenant's name as secret", whole, signed(whole, "aurora"), "signature", "well-formed"],
  ["a letter of the body changed", whole.replace(CPF, "52998224726"), right, "signature", "well-formed"],
  ["written again by a parser", JSON.stringify(JSON.parse(whole), null, 1), right, "signature", "well-formed"],
  ["a blank behind the body", `${whole} `, right, "signature", "well-formed"],
  ["an empty body", "", right, "signature", "well-formed"],
  ["another delivery's", '{"onBoardingId":"other"}', right, "signature", "well-formed"],
];

describe("the list of refused deliveries", () => {
  it("lists twenty tampered deliveries with why, after twenty times 401", async () => {
    const answers: number[] = [];
    for (const [at, [, body, signature]] of TAMPERED.entries())
      answers.push(await deliver(deliveryOf(body, { id: `evt-${at}`, signature })));
    expect(answers).toEqual(Array.from({ length: 20 }, () => 401));
    expect(await db.$count(webhookEvent)).toBe(0);
    const wanted = TAMPERED.map(([, , , why, form], at) => ({ eventId: `evt-${at}`, why, form })).toReversed();
    const before = await listRefused();
    expect(before).toMatchObject({ count: 20, rows: wanted });
    await keep();
    const { rows, count } = await listRefused();
    expect({ count, rows }).toMatchObject({ count: 20, rows: wanted });
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(6);
    expect(JSON.stringify([rows, await db.select().from(webhookRefusal)])).not.toMatch(
      new RegExp(`${CPF}|52998224726|${right}|secret`),
    );
  });

  it("keeps the last 500 of a tenant and nothing of another's", async () => {
    for (let minute = 0; minute < 11; minute += 1) {
      for (let n = 0; n < 50; n += 1) await deliver(deliveryOf({ n }, { id: `evt-${minute}-${n}`, signature: null }));
      await keep();
    }
    await deliver(deliveryOf({}, { signature: null }), "boreal");
    await keep();
    const { rows, count, older } = await listRefused();
    expect([count, rows.length, rows[0]?.eventId]).toEqual([500, 25, "evt-10-49"]);
    const next = await listRefused({ before: older ?? "" });
    expect(next.rows[0]?.eventId).toBe("evt-10-24");
    expect((await listRefused({ after: next.newer ?? "" })).rows[0]?.eventId).toBe("evt-10-49");
    expect(await db.$count(webhookRefusal)).toBe(501);
    expect((await listRefused({ search: "evt-1-0" })).rows).toHaveLength(1);
    expect((await listRefused({ search: "evt-0-0" })).rows).toEqual([]);
  });

  it("names the delivery that was accepted under the same id", async () => {
    await deliver(deliveryOf(whole, { id: "evt-1", signature: bit(3) }));
    await keep();
    for (const id of ["evt-1", "evt-2"]) expect(await deliver(deliveryOf(whole, { id }))).toBe(204);
    const [stored] = await db.select().from(webhookEvent).orderBy(webhookEvent.seq);
    expect((await listRefused()).rows).toMatchObject([{ acceptedAs: stored?.id }]);
  });

  it("filters by reason, fingerprint and time", async () => {
    await deliver(deliveryOf(whole, { id: "evt-1", signature: bit(3) }));
    await deliver(deliveryOf("no json", { id: "evt-2" }));
    await keep();
    await deliver(deliveryOf(whole, { id: "evt-3", signature: null }));
    expect(await ids({ why: "unreadable" })).toEqual(["evt-2"]);
    expect(await ids({ why: "unsigned" })).toEqual(["evt-3"]);
    expect(await ids({ period: "1" })).toEqual(["evt-3", "evt-2", "evt-1"]);
    expect(await ids({ period: "yesterday" })).toEqual([]);
    const [{ fingerprint } = { fingerprint: null }] = (await listRefused({ why: "signature" })).rows;
    expect(await ids({ search: fingerprint ?? "" })).toEqual(["evt-3", "evt-1"]);
  });
});
