import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { PAGE_SIZE } from "@/lib/text/page";
import { sealDocument } from "@/lib/db/document";
import { onboarding } from "@/lib/db/tables/customers";
import { watchState } from "@/lib/db/tables/watch";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { findFollowed } from "./follow";
import { countWaitingOnboardings, getFunnel, getOnboarding, listOnboardings } from "./queries";

const CPF = "52998224725";
const URL = "https://biometrics.example.com/1";
const seenAt = new Date("2026-03-10T12:00:00Z");

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(
    sessionOf({ staffId: await givenStaff(db, "compliance"), roles: ["compliance"] }),
  );
});

const message = (actionRequired: boolean, url?: string): OnboardingMessage => ({
  id: "onboarding-backgroundcheck",
  date: "2026-03-10T12:00:00.000Z",
  message: "A foto está <b>ilegível</b>.",
  status: "proposal-reproved",
  actionRequired,
  ...(url !== undefined && { url }),
});

async function keep(changes: Partial<typeof onboarding.$inferInsert> = {}): Promise<string> {
  const id = randomUUID();
  const document = sealDocument({ table: "onboarding", id }, CPF);
  const dates = { firstSeenAt: seenAt, changedAt: seenAt, checkedAt: seenAt };
  const values = {
    id,
    tenant: "aurora",
    status: "PROCESSING" as const,
    messages: [],
    ...document,
    ...dates,
    ...changes,
  };
  await db.insert(onboarding).values(values);
  return id;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

const ids = async (filter: Parameters<typeof listOnboardings>[0]) =>
  (await listOnboardings(filter)).rows.map(({ id }) => id);

describe("the onboarding queue", () => {
  it("gives the last reason of a refusal, masked, and none of others", async () => {
    const said = (text: string, date: string) => ({ ...message(false), message: text, date });
    await keep({
      status: "ERROR",
      messages: [
        said("O CPF 529.982.247-25 diverge.", "2026-03-10T13:00:00.000Z"),
        said("Verificação iniciada.", "2026-03-10T12:00:00.000Z"),
      ],
    });
    await keep({ messages: [message(true)] });
    const { rows } = await listOnboardings({ status: "all" });
    expect(rows.map(({ reason }) => reason)).toEqual([null, "O CPF ***.982.247-** diverge."]);
  });

  it("shows an onboarding's document masked, and whose link it is", async () => {
    await keep({ biometricUrl: URL, messages: [message(true, "javascript:alert(1)")] });
    const { rows } = await listOnboardings();
    const biometric = { host: "biometrics.example.com", isSafe: true };
    expect(rows).toMatchObject([{ document: "***.982.247-**", kind: "PF", biometric }]);
    expect(JSON.stringify(rows)).not.toContain(CPF);
    expect(JSON.stringify(rows)).not.toContain(URL);
  });

  it("tells a company from a person by the sealed document", async () => {
    const id = randomUUID();
    await keep({ id, ...sealDocument({ table: "onboarding", id }, "11222333000181") });
    await keep();
    expect((await listOnboardings({ kind: "PJ" })).rows.map((row) => row.id)).toEqual([id]);
    expect((await listOnboardings({ kind: "PF" })).total).toBe(1);
  });

  it("counts each view, and in the chosen one who must act", async () => {
    await keep({ whoActs: "provider" });
    await keep({ whoActs: "holder", stage: "biometrics" });
    await keep({ status: "unknown:PAUSED", whoActs: "us" });
    await keep({ status: "ERROR", whoActs: "us" });
    await keep({ status: "ERROR", whoActs: "nobody" });
    await keep({ status: "CONFIRMED", whoActs: "nobody", stage: "done" });
    const open = await listOnboardings();
    expect(open.counts).toEqual({ open: 3, ERROR: 2, CONFIRMED: 1, all: 6 });
    expect(open.acts).toEqual({ us: 1, holder: 1, provider: 1, nobody: 0 });
    const ours = await listOnboardings({ status: "all", acts: "us" });
    expect([ours.total, ours.rows.length, ours.counts.all]).toEqual([2, 2, 6]);
    const [waiting] = (await listOnboardings({ acts: "holder", stage: "biometrics" })).rows;
    expect(waiting).toMatchObject({ whoActs: "holder", stage: "biometrics" });
  });

  it("counts as waiting what the list shows as ours when it opens", async () => {
    await keep({ status: "unknown:PAUSED", whoActs: "us" });
    await keep({ status: "ERROR", whoActs: "us" });
    const { acts } = await listOnboardings();
    expect(await countWaitingOnboardings()).toMatchObject({ count: acts.us });
    expect(acts.us).toBe(1);
  });

  it("filters onboardings by age and returns, and sorts both ways", async () => {
    const old = await keep({ firstSeenAt: hoursAgo(30), returns: 2 });
    const young = await keep({ firstSeenAt: hoursAgo(0.5), returns: 0 });
    expect(await ids({ age: "24" })).toEqual([old]);
    expect(await ids({ age: "72" })).toEqual([]);
    expect(await ids({ returns: "1" })).toEqual([old]);
    expect(await ids({ returns: "3" })).toEqual([]);
    expect(await ids({})).toEqual([young, old]);
    expect(await ids({ dir: "asc" })).toEqual([old, young]);
    expect(await ids({ sort: "returns" })).toEqual([old, young]);
  });

  it("filters onboardings by a holder's id, and shows none for an unknown one", async () => {
    const first = await keep();
    const second = await keep({ status: "ERROR" });
    const id = randomUUID();
    await keep({ id, ...sealDocument({ table: "onboarding", id }, "11222333000181") });
    const theirs = await listOnboardings({ status: "all", person: first });
    expect(new Set(theirs.rows.map((row) => row.id))).toEqual(new Set([first, second]));
    expect(theirs.person).toBe("***.982.247-**");
    expect(await listOnboardings({ status: "all", person: randomUUID() })).toMatchObject({ rows: [], total: 0 });
  });

  it("pages onboardings from newest to oldest without loss or repetition", async () => {
    for (let n = 0; n < PAGE_SIZE + 3; n += 1) await keep({ firstSeenAt: n % 2 === 0 ? seenAt : new Date(0) });
    const first = await listOnboardings();
    const second = await listOnboardings({ page: 2 });
    expect([first.rows.length, second.rows.length, first.totalPages, first.total]).toEqual([
      PAGE_SIZE,
      3,
      2,
      PAGE_SIZE + 3,
    ]);
    const shown = [...first.rows, ...second.rows];
    expect(new Set(shown.map(({ id }) => id)).size).toBe(PAGE_SIZE + 3);
    const dates = shown.map(({ firstSeenAt }) => firstSeenAt);
    expect(dates).toEqual(dates.toSorted().toReversed());
    expect(await listOnboardings({ page: 99 })).toMatchObject({ page: 2 });
  });

  it("shows no onboarding of another tenant", async () => {
    const id = await keep({ tenant: "boreal" });
    expect(await listOnboardings({ status: "all" })).toMatchObject({ rows: [], total: 0 });
    expect(await getOnboarding(id)).toBeNull();
    const reader = actorOf("compliance", randomUUID(), "onboarding:read");
    for (const query of [CPF, id]) expect(await findFollowed(reader, { query })).toEqual({ id: null, people: 0 });
  });

  it("shows the queue's age, and that it is stale after a failure", async () => {
    expect(await listOnboardings()).toMatchObject({ asOf: null, isStale: false });
    await db.insert(watchState).values({ tenant: "aurora", name: "onboarding", asOf: new Date() });
    expect(await listOnboardings()).toMatchObject({ asOf: expect.any(String), isStale: false });
    await db.update(watchState).set({ failedAt: new Date() });
    expect(await listOnboardings()).toMatchObject({ isStale: true });
  });
});

describe("one onboarding", () => {
  it("finds an onboarding by its reference", async () => {
    const found = await getOnboarding(await keep());
    expect(found).toMatchObject({ row: { status: "PROCESSING", stage: "background-check" }, events: [], links: [] });
  });

  it("shows only safe links, and keeps the holder's text apart from diagnostics", async () => {
    const told = { ...message(true, "https://help.example.com/x"), message: "Documento vencido" };
    const messages = [message(false, "javascript:alert(1)"), told, { ...told, date: "2026-03-09T12:00:00.000Z" }];
    const found = await getOnboarding(await keep({ messages }));
    expect(found?.messages.map(({ url }) => url?.href)).toEqual([null, told.url, told.url]);
    expect(found?.holder.text).toBe(`Documento vencido\n${told.url}\n\n${message(false).message}`);
    expect(found?.holder.text).not.toContain("proposal-reproved");
    expect(found?.holder.stops).toEqual([]);
  });

  it("hides the biometric link, even when a provider message contains it", async () => {
    const biometricUrl = "https://bio.example.com/once-only";
    const messages = [message(true, biometricUrl), message(false, "https://help.example.com/x")];
    const found = await getOnboarding(await keep({ messages, biometricUrl }));
    expect(JSON.stringify(found)).not.toContain("once-only");
    expect(found?.messages.map(({ isOfLink }) => isOfLink)).toEqual([true, false]);
    expect(found?.holder.isOfLink).toBe(true);
  });

  it("warns of text that would tip off the holder", async () => {
    const messages = [{ ...message(false), message: "Reprovado por suspeita; comunicado ao COAF" }];
    expect((await getOnboarding(await keep({ messages })))?.holder.stops).toEqual(["suspeita", "COAF"]);
  });

  it.each(["", "1", CPF, "-".repeat(36), "'; DROP TABLE onboarding; --", randomUUID()])(
    "finds no onboarding for %j",
    async (odd) => {
      expect(await getOnboarding(odd)).toBeNull();
    },
  );
});

const startOf = (daysAgo: number) => civilInstant(`${civilDaysAgo(daysAgo)}T00:00:00`);

describe("the funnel", () => {
  it("counts thirty days by outcome, with unknown states in the provider's words", async () => {
    const firstSeenAt = startOf(29);
    await keep({ firstSeenAt });
    await keep({ firstSeenAt, stage: "biometrics" });
    await keep({ firstSeenAt, stage: "biometrics" });
    await keep({ firstSeenAt, status: "CONFIRMED", stage: "done" });
    await keep({ firstSeenAt, status: "ERROR", stage: "biometrics" });
    await keep({ firstSeenAt, status: "unknown:EM_ANALISE" });
    await keep({ firstSeenAt: new Date(firstSeenAt.getTime() - 1) });
    await keep({ firstSeenAt, tenant: "boreal" });
    expect(await getFunnel()).toEqual({
      days: 30,
      started: 6,
      waiting: [
        { stage: "background-check", count: 1 },
        { stage: "biometrics", count: 2 },
        { stage: "proposal", count: 0 },
        { stage: "account", count: 0 },
      ],
      confirmed: 1,
      refused: 1,
      others: [{ word: "EM_ANALISE", count: 1 }],
    });
  });
});
