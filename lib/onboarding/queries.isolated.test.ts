import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/lib/auth/testing";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { PAGE_SIZE } from "@/lib/page";
import { sealDocument } from "@/lib/store/document";
import { onboarding, watchState } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenStore } from "@/lib/testing";
import { getOnboarding, listOnboardings } from "./queries";

vi.mock("@/lib/auth/session", () => ({ getSession: vi.fn<typeof getSession>() }));

const CPF = "52998224725";
const URL = "https://biometrics.example.com/1";
const seenAt = new Date("2026-03-10T12:00:00Z");

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: randomUUID(), roles: ["compliance"] }));
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

describe("the onboarding queue", () => {
  it("shows the document masked, and only links that are safe to click", async () => {
    await keep({ biometricUrl: "http://biometrics.example.com", messages: [message(true, "javascript:alert(1)")] });
    const { rows } = await listOnboardings();
    expect(rows).toMatchObject([
      {
        document: "***.982.247-**",
        kind: "PF",
        biometricUrl: { href: null, host: "biometrics.example.com" },
        messages: [{ url: { href: null, host: "" }, message: message(true).message }],
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(CPF);
  });

  it("counts as the holder's what the rules say the holder has to do, in every state", async () => {
    for (const status of ["PROCESSING", "CONFIRMED", "ERROR", "unknown:PAUSED"] as const) {
      for (const biometricUrl of [null, URL]) {
        for (const messages of [[], [message(false)], [message(false), message(true)]]) {
          await keep({ status, biometricUrl, messages });
        }
      }
    }
    const all = await listOnboardings({ status: "all" });
    const waiting = all.rows.filter(({ whoActs }) => whoActs === "holder").map(({ id }) => id);
    const action = await listOnboardings({ status: "action" });
    expect(action.rows.map(({ id }) => id)).toEqual(waiting);
    expect(all.counts).toEqual({ open: 6, action: waiting.length, PROCESSING: 6, CONFIRMED: 6, ERROR: 6, all: 24 });
  });

  it("goes from the newest to the oldest, page by page, losing and repeating none", async () => {
    for (let n = 0; n < PAGE_SIZE + 3; n += 1) await keep({ firstSeenAt: n % 2 === 0 ? seenAt : new Date(0) });
    const [first, second] = [await listOnboardings(), await listOnboardings({ page: 2 })];
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

  it("shows nothing of another tenant", async () => {
    const id = await keep({ tenant: "boreal" });
    expect(await listOnboardings({ status: "all" })).toMatchObject({ rows: [], total: 0 });
    expect(await getOnboarding(id)).toBeNull();
  });

  it("says how old it is, and that it is stale after a failure", async () => {
    expect(await listOnboardings()).toMatchObject({ asOf: null, isStale: false });
    await db.insert(watchState).values({ tenant: "aurora", name: "onboarding", asOf: new Date() });
    expect(await listOnboardings()).toMatchObject({ asOf: expect.any(String), isStale: false });
    await db.update(watchState).set({ failedAt: new Date() });
    expect(await listOnboardings()).toMatchObject({ isStale: true });
  });
});

describe("one onboarding", () => {
  it("is found by its reference", async () => {
    expect(await getOnboarding(await keep())).toMatchObject({ status: "PROCESSING", stage: "background-check" });
  });

  it.each(["", "1", CPF, "-".repeat(36), "'; DROP TABLE onboarding; --", randomUUID()])(
    "is none for %j",
    async (odd) => {
      expect(await getOnboarding(odd)).toBeNull();
    },
  );
});
