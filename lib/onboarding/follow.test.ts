import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { completeCpf, maskDocument } from "@/lib/contract/document";
import { onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { findFollowed, takeLink } from "./follow";
import { noteReading, readRecord } from "./read-record";
import { onboardingReading } from "@/lib/db/tables/onboarding";
import { givenOnboardingFixture, type OnboardingFixture } from "@/test/support/onboarding";

const CPF = completeCpf("310000201");
const LINK = "https://biometria.example/abc?token=segredo";

let fixture: OnboardingFixture;

beforeEach(async () => {
  fixture = await givenOnboardingFixture();
});

const eventsOf = async (id: string) => (await fixture.eventsOf(id)).map(({ kind, detail }) => [kind, detail]);
const ask = (message: string) => ({ message, actionRequired: true, id: "onboarding-backgroundcheck" });

describe("the timeline of an onboarding", () => {
  it("shows each change once, and nothing when nothing changed", async () => {
    const asked = await fixture.request();
    const id = await fixture.recordAccess(asked);
    await fixture.recordAccess(asked);
    await fixture.steer(asked, { biometricUrl: LINK });
    await fixture.recordAccess(asked);
    await fixture.steer(asked, { status: "CONFIRMED" });
    await fixture.recordAccess(asked);
    await fixture.recordAccess(asked);
    expect(await eventsOf(id)).toEqual([
      ["seen", { status: "PROCESSING", stage: "background-check" }],
      ["link-appeared", { since: expect.any(String) }],
      ["stage", { from: "background-check", to: "biometrics" }],
      ["link-gone", {}],
      ["account-opened", {}],
      ["moved", { from: "PROCESSING", to: "CONFIRMED", since: expect.any(String) }],
    ]);
  });

  it("counts how often an onboarding returned to the holder", async () => {
    const asked = await fixture.request();
    const id = await fixture.recordAccess(asked);
    for (const text of ["Documento ilegível", "Documento cortado"]) {
      await fixture.steer(asked, { messages: [ask(text)] });
      await fixture.recordAccess(asked);
      await fixture.recordAccess(asked);
      expect(await fixture.rowOf(id)).toMatchObject({ whoActs: "holder", stage: "background-check" });
      await fixture.steer(asked, { messages: [] });
      await fixture.recordAccess(asked);
      expect(await fixture.rowOf(id)).toMatchObject({ whoActs: "provider" });
    }
    expect(await fixture.rowOf(id)).toMatchObject({ returns: 2 });
    expect((await eventsOf(id)).filter(([kind]) => kind === "returned")).toEqual([
      ["returned", { times: 1 }],
      ["returned", { times: 2 }],
    ]);
  });

  it("does not count a repeated provider message as a change", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { messages: [{ ...ask("Documento vencido"), url: "https://ajuda.example/doc" }] });
    const id = await fixture.recordAccess(asked);
    const before = await fixture.rowOf(id);
    await fixture.recordAccess(asked);
    expect((await fixture.rowOf(id))?.changedAt).toEqual(before?.changedAt);
  });
});

describe("the biometric link", () => {
  it("audits each show and copy, without the address", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { biometricUrl: LINK });
    const id = await fixture.recordAccess(asked);
    const shown = await takeLink(fixture.ana, { id, use: "shown" });
    expect(shown).toMatchObject({ href: LINK, host: "biometria.example" });
    expect(shown.drawing?.path).toMatch(/^M\d/);
    expect(await takeLink(fixture.ana, { id, use: "copied" })).toMatchObject({ href: LINK, drawing: null });
    const trail = await fixture.db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(trail).toMatchObject([
      { code: "onboarding.link", actor: fixture.ana.id, object: `onboarding:${id}`, detail: { use: "shown" } },
      { code: "onboarding.link", actor: fixture.ana.id, object: `onboarding:${id}`, detail: { use: "copied" } },
    ]);
    const record = await readRecord(fixture.reader, id);
    expect(record?.links).toMatchObject([{ host: "biometria.example", goneAt: null }]);
    expect(record?.links[0]?.uses.map(({ use }) => use)).toEqual(["copied", "shown"]);
    expect(JSON.stringify([trail, record])).not.toContain("segredo");
  });

  it("records a link as copied only once the clipboard took it", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { biometricUrl: LINK });
    const id = await fixture.recordAccess(asked);
    expect(await takeLink(fixture.ana, { id, use: "taken" })).toMatchObject({ href: LINK, drawing: null });
    expect((await readRecord(fixture.reader, id))?.links[0]?.uses).toEqual([]);
    const [first] = await fixture.db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(first).toMatchObject({ code: "onboarding.link", actor: fixture.ana.id, detail: { use: "taken" } });
    await fixture.steer(asked, { biometricUrl: "https://outra.example/2" });
    expect(await takeLink(fixture.ana, { id, use: "copied" })).toMatchObject({ href: LINK });
    const [link] = (await readRecord(fixture.reader, id))?.links ?? [];
    expect(link).toMatchObject({ host: "biometria.example", uses: [{ use: "copied", isMine: true }] });
  });

  it("keeps earlier links, and marks a change for earlier readers", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { biometricUrl: LINK });
    const id = await fixture.recordAccess(asked);
    expect((await readRecord(fixture.reader, id))?.links[0]?.isNew).toBe(false);
    await fixture.db.update(onboardingReading).set({ seenAt: new Date(Date.now() - 3_600_000) });
    await fixture.steer(asked, { biometricUrl: "https://outra.example/2" });
    await fixture.recordAccess(asked);
    const record = await readRecord(fixture.reader, id);
    expect(record?.links).toMatchObject([
      { host: "outra.example", goneAt: null, isNew: true },
      { host: "biometria.example", goneAt: expect.any(String) },
    ]);
    expect(record?.events.find(({ kind }) => kind === "link-changed")?.isNew).toBe(true);
    expect(record?.row.returns).toBe(0);
  });

  it("refuses a link that is gone, not https, or was never given", async () => {
    const asked = await fixture.request();
    const id = await fixture.recordAccess(asked);
    await expect(takeLink(fixture.ana, { id, use: "shown" })).rejects.toMatchObject({ details: { code: "link-gone" } });
    await fixture.steer(asked, { biometricUrl: "http://biometria.example/abc" });
    await fixture.recordAccess(asked);
    await expect(takeLink(fixture.ana, { id, use: "copied" })).rejects.toMatchObject({
      details: { code: "link-unsafe" },
    });
    expect(await fixture.db.$count(auditEvent)).toBe(0);
  });

  it("returns the provider's current link, and none once withdrawn", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { biometricUrl: LINK });
    const id = await fixture.recordAccess(asked);
    await fixture.steer(asked, { biometricUrl: "https://outra.example/2" });
    expect(await takeLink(fixture.ana, { id, use: "taken" })).toMatchObject({ href: "https://outra.example/2" });
    await fixture.steer(asked, { biometricUrl: null });
    await expect(takeLink(fixture.ana, { id, use: "taken" })).rejects.toMatchObject({
      details: { code: "link-gone" },
    });
    expect(await fixture.rowOf(id)).toMatchObject({ biometricUrl: null });
  });

  it("hides a changed or withdrawn link in an old message", async () => {
    const asked = await fixture.request();
    const messages = [{ ...ask("Refaça a biometria"), url: LINK }];
    await fixture.steer(asked, { biometricUrl: LINK, messages });
    const id = await fixture.recordAccess(asked);
    for (const biometricUrl of ["https://outra.example/2", null]) {
      await fixture.steer(asked, { biometricUrl, messages });
      await fixture.recordAccess(asked);
      const record = await readRecord(fixture.reader, id);
      expect(record?.messages).toMatchObject([{ url: null, isOfLink: false }]);
      expect(JSON.stringify(record)).not.toContain("segredo");
    }
  });

  it("returns the last read link while the provider is silent", async () => {
    const asked = await fixture.request();
    await fixture.steer(asked, { biometricUrl: LINK });
    const id = await fixture.recordAccess(asked);
    const silent = { method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 503, times: 20 };
    await fixture.service.control("POST", "/sandbox/faults", silent);
    expect(await takeLink(fixture.ana, { id, use: "taken" })).toMatchObject({ href: LINK });
  });

  it("shows the minutes between two readings", async () => {
    const id = await fixture.recordAccess(await fixture.request());
    expect(await noteReading(fixture.ana, id)).toBeNull();
    expect(await noteReading(fixture.ana, id)).toBeNull();
    const away = new Date(Date.now() - 3_600_000);
    await fixture.db.update(onboardingReading).set({ seenAt: away });
    expect(await noteReading(fixture.ana, id)).toEqual(away);
    expect(await noteReading(fixture.ana, id)).toEqual(away);
  });
});

describe("finding a holder", () => {
  it("finds a holder by document, by id and by an id's beginning", async () => {
    const asked = await fixture.request();
    const id = await fixture.recordAccess(asked);
    expect(await findFollowed(fixture.reader, { query: CPF })).toEqual({ id, people: 1 });
    expect(await findFollowed(fixture.reader, { query: asked })).toEqual({ id, people: 1 });
    expect(await findFollowed(fixture.reader, { query: asked.slice(0, 8) })).toEqual({ id, people: 1 });
    expect(await findFollowed(fixture.reader, { query: id })).toEqual({ id, people: 1 });
  });

  it("is found without the zeros that a spreadsheet dropped", async () => {
    const cpf = completeCpf("044976632");
    const id = await fixture.recordAccess(await fixture.request(cpf));
    expect(await findFollowed(fixture.reader, { query: cpf.replace(/^0+/, "") })).toEqual({
      id,
      people: 1,
      restored: maskDocument(cpf),
    });
  });

  it("says that nobody or several holders match", async () => {
    const one = await fixture.recordAccess(await fixture.request());
    const other = await fixture.recordAccess(await fixture.request(completeCpf("310000202")));
    await fixture.db.update(onboarding).set({ onBoardingId: "onb-77-a" }).where(eq(onboarding.id, one));
    await fixture.db.update(onboarding).set({ onBoardingId: "onb-77-b" }).where(eq(onboarding.id, other));
    expect(await findFollowed(fixture.reader, { query: "onb-77" })).toEqual({ id: null, people: 2 });
    expect(await findFollowed(fixture.reader, { query: "onb-77-b" })).toEqual({ id: other, people: 1 });
    expect(await findFollowed(fixture.reader, { query: "%" })).toEqual({ id: null, people: 0 });
    expect(await findFollowed(fixture.reader, { query: completeCpf("310000299") })).toEqual({ id: null, people: 0 });
  });
});
