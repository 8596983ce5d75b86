import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/auth/grant";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { auditEvent, onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/lib/testing";
import { personRequest } from "@/service/accounts/testing";
import type { Harness } from "@/service/testing";
import { find } from "./find";
import { noteReading } from "./readings";
import { readRecord } from "./record-view";
import { refreshOnboarding } from "./records";
import { onboardingEvent, onboardingReading } from "./schema";
import { takeLink } from "./take-link";

const CPF = completeCpf("310000201");
const LINK = "https://biometria.example/abc?token=segredo";

let db: Db;
let service: Harness;
let ana: Actor<"onboarding:follow">;
let reader: Actor<"onboarding:read">;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const staffId = await givenStaff(db, "support");
  ana = actorOf("support", staffId, "onboarding:follow");
  reader = actorOf("support", staffId, "onboarding:read");
  service = await givenService();
  service.clock.set(Date.now());
});

async function request(document = CPF): Promise<string> {
  const { body } = await service.send("POST", "/v1/bank-accounts/create", { body: personRequest(document) });
  return AccountRequested.parse(body).data.body.onBoardingId;
}

const steer = (id: string, body: Record<string, unknown>) =>
  service.control("POST", `/sandbox/onboardings/${id}`, body);

/** What the provider says now is kept; returns our id. */
const look = async (asked: string) => (await refreshOnboarding(reader, asked)).id;

const eventsOf = async (id: string) =>
  (
    await db
      .select({ kind: onboardingEvent.kind, detail: onboardingEvent.detail })
      .from(onboardingEvent)
      .where(eq(onboardingEvent.onboardingId, id))
      .orderBy(asc(onboardingEvent.id))
  ).map(({ kind, detail }) => [kind, detail]);

const rowOf = async (id: string) => (await db.select().from(onboarding).where(eq(onboarding.id, id)))[0];
const ask = (message: string) => ({ message, actionRequired: true, id: "onboarding-backgroundcheck" });

describe("the timeline of an onboarding", () => {
  it("tells each change once, and nothing when nothing changed", async () => {
    const asked = await request();
    const id = await look(asked);
    await look(asked);
    await steer(asked, { biometricUrl: LINK });
    await look(asked);
    await steer(asked, { status: "CONFIRMED" });
    await look(asked);
    await look(asked);
    expect(await eventsOf(id)).toEqual([
      ["seen", { status: "PROCESSING", stage: "background-check" }],
      ["link-appeared", {}],
      ["stage", { from: "background-check", to: "biometrics" }],
      ["link-gone", {}],
      ["account-opened", {}],
      ["moved", { from: "PROCESSING", to: "CONFIRMED" }],
    ]);
  });

  it("counts how often it came back to the holder", async () => {
    const asked = await request();
    const id = await look(asked);
    for (const text of ["Documento ilegível", "Documento cortado"]) {
      await steer(asked, { messages: [ask(text)] });
      await look(asked);
      await look(asked);
      expect(await rowOf(id)).toMatchObject({ whoActs: "holder", stage: "background-check" });
      await steer(asked, { messages: [] });
      await look(asked);
      expect(await rowOf(id)).toMatchObject({ whoActs: "provider" });
    }
    expect(await rowOf(id)).toMatchObject({ returns: 2 });
    expect((await eventsOf(id)).filter(([kind]) => kind === "returned")).toEqual([
      ["returned", { times: 1 }],
      ["returned", { times: 2 }],
    ]);
  });

  it("does not count what the provider says again as a change", async () => {
    const asked = await request();
    await steer(asked, { messages: [{ ...ask("Documento vencido"), url: "https://ajuda.example/doc" }] });
    const id = await look(asked);
    const before = await rowOf(id);
    await look(asked);
    expect((await rowOf(id))?.changedAt).toEqual(before?.changedAt);
  });
});

describe("the biometric link", () => {
  it("is given on record, and its history says who showed and who copied it, without the address", async () => {
    const asked = await request();
    await steer(asked, { biometricUrl: LINK });
    const id = await look(asked);
    const shown = await takeLink(ana, { id, use: "shown" });
    expect(shown).toMatchObject({ href: LINK, host: "biometria.example" });
    expect(shown.drawing?.path).toMatch(/^M\d/);
    expect(await takeLink(ana, { id, use: "copied" })).toMatchObject({ href: LINK, drawing: null });
    const trail = await db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(trail).toMatchObject([
      { code: "onboarding.link", actor: ana.id, object: `onboarding:${id}`, detail: { use: "shown" } },
      { code: "onboarding.link", actor: ana.id, object: `onboarding:${id}`, detail: { use: "copied" } },
    ]);
    const record = await readRecord(reader, id);
    expect(record?.links).toMatchObject([{ host: "biometria.example", goneAt: null }]);
    expect(record?.links[0]?.uses.map(({ use }) => use)).toEqual(["copied", "shown"]);
    expect(JSON.stringify([trail, record])).not.toContain("segredo");
  });

  it("keeps those that were before it, and is marked as changed for who had looked before", async () => {
    const asked = await request();
    await steer(asked, { biometricUrl: LINK });
    const id = await look(asked);
    expect((await readRecord(reader, id))?.links[0]?.isNew).toBe(false);
    await db.update(onboardingReading).set({ seenAt: new Date(Date.now() - 3_600_000) });
    await steer(asked, { biometricUrl: "https://outra.example/2" });
    await look(asked);
    const record = await readRecord(reader, id);
    expect(record?.links).toMatchObject([
      { host: "outra.example", goneAt: null, isNew: true },
      { host: "biometria.example", goneAt: expect.any(String) },
    ]);
    expect(record?.events.find(({ kind }) => kind === "link-changed")?.isNew).toBe(true);
    expect(record?.row.returns).toBe(0);
  });

  it("is not given when it is gone, is not https, or was never there", async () => {
    const asked = await request();
    const id = await look(asked);
    await expect(takeLink(ana, { id, use: "shown" })).rejects.toMatchObject({ details: { code: "link-gone" } });
    await steer(asked, { biometricUrl: "http://biometria.example/abc" });
    await look(asked);
    await expect(takeLink(ana, { id, use: "copied" })).rejects.toMatchObject({ details: { code: "link-unsafe" } });
    expect(await db.$count(auditEvent)).toBe(0);
  });

  it("tells one reading from the next by minutes in between", async () => {
    const id = await look(await request());
    expect(await noteReading(ana, id)).toBeNull();
    expect(await noteReading(ana, id)).toBeNull();
    const away = new Date(Date.now() - 3_600_000);
    await db.update(onboardingReading).set({ seenAt: away });
    expect(await noteReading(ana, id)).toEqual(away);
    expect(await noteReading(ana, id)).toEqual(away);
  });
});

describe("finding a holder", () => {
  it("goes by document, by id and by the beginning of one", async () => {
    const asked = await request();
    const id = await look(asked);
    expect(await find(reader, { query: CPF })).toEqual({ id, people: 1 });
    expect(await find(reader, { query: asked })).toEqual({ id, people: 1 });
    expect(await find(reader, { query: asked.slice(0, 8) })).toEqual({ id, people: 1 });
    expect(await find(reader, { query: id })).toEqual({ id, people: 1 });
  });

  it("says that there is nobody, or that there are several", async () => {
    const [one, other] = [await look(await request()), await look(await request(completeCpf("310000202")))];
    await db.update(onboarding).set({ onBoardingId: "onb-77-a" }).where(eq(onboarding.id, one));
    await db.update(onboarding).set({ onBoardingId: "onb-77-b" }).where(eq(onboarding.id, other));
    expect(await find(reader, { query: "onb-77" })).toEqual({ id: null, people: 2 });
    expect(await find(reader, { query: "onb-77-b" })).toEqual({ id: other, people: 1 });
    expect(await find(reader, { query: "%" })).toEqual({ id: null, people: 0 });
    expect(await find(reader, { query: completeCpf("310000299") })).toEqual({ id: null, people: 0 });
  });
});
