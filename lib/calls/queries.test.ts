import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Role } from "@/lib/permission/permission";
import { getSession } from "@/lib/auth/session";
import { sessionOf } from "@/test/support/auth";
import * as client from "@/lib/provider/client";
import { type Call, writeCalls } from "@/lib/provider/call-log";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { CSV_START } from "@/lib/text/csv";
import { auditEvent } from "@/lib/db/tables/audit";
import { callsFor, exportCalls, getStanding, listCalls, listMinutes } from "./queries";

const NOON = Date.parse("2026-03-10T15:00:00Z");
const KYC = "0d6f9f1e-4c6b-4a0e-9b1f-2f6a7c8d9e01";

let db: Db;
let ana = "";

function signIn(...roles: Role[]) {
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, roles }));
}

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  signIn("auditor");
});

/** Writes calls a second apart, the first at noon in São Paulo, numbered by their attempt. */
async function given(...changes: Partial<Call>[]): Promise<void> {
  const calls = changes.map((change, index) => ({
    id: randomUUID(),
    tenant: "aurora",
    method: "GET" as const,
    path: "/v1/kyc/list",
    status: 200,
    kind: "ok" as const,
    code: null,
    durationMs: 100,
    waitedMs: 0,
    lane: "watchers" as const,
    attempt: index + 1,
    actor: "watch:kyc",
    object: null,
    providerRequestId: null,
    at: new Date(NOON + index * 1_000),
    ...change,
  }));
  for (let from = 0; from < calls.length; from += 100) await writeCalls(db, calls.slice(from, from + 100));
}

const numbers = (rows: readonly { attempt: number }[]) => rows.map(({ attempt }) => attempt);
const listed = async (filter: Parameters<typeof listCalls>[0] = {}) => numbers((await listCalls(filter)).rows);

describe("the call log", () => {
  it("limits the call log to auditors and administrators", async () => {
    signIn("support", "compliance", "finance", "approver");
    await expect(listCalls()).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("lists calls newest first with people and watches, own tenant only", async () => {
    await given({ actor: ana }, {}, { tenant: "boreal" });
    const { rows } = await listCalls();
    expect(rows.map(({ attempt, actor, byName }) => [attempt, actor, byName])).toEqual([
      [2, "watch:kyc", null],
      [1, ana, "Ana Prado"],
    ]);
  });

  it.each([
    ["those that failed", { view: "failed" }, [3, 1]],
    ["those of a kind", { kind: "held" }, [2]],
    ["those that nobody answered", { kind: "no-answer" }, [3]],
    ["those answered with 5xx, without what nobody answered", { kind: "unavailable" }, []],
    ["those that went well", { kind: "ok" }, [4]],
    ["slow ones", { view: "slow" }, [3, 2]],
    ["those of a lane", { lane: "money" }, [2]],
    ["those of an operation", { path: "/v1/kyc/manual-decision" }, [2]],
    ["those of a watch", { actor: "watch:kyc" }, [4, 3]],
    ["those about an object", { search: `kyc:${KYC}` }, [3, 2]],
    ["those about an object by its id", { search: KYC }, [3, 2]],
    ["those about an object by the beginning of its id", { search: KYC.slice(0, 8) }, [3, 2]],
    ["one by the reference an error showed", { search: "ref-1" }, [1]],
    ["one by the reference that the provider gave", { search: "req-of-theirs" }, [2]],
    ["those from a minute on", { from: "2026-03-10T12:01" }, [4]],
    ["those up to a minute's end", { to: "2026-03-10T12:00" }, [3, 2, 1]],
    ["everything when the filter makes no sense", { lane: "nobody", from: "soon", view: "x" }, [4, 3, 2, 1]],
  ] as const)("shows in the call log %s", async (_, filter, expected) => {
    await given(
      { id: "ref-1", method: "POST", kind: "not-found", status: 404, lane: "people", actor: ana },
      {
        kind: "held",
        providerRequestId: "req-of-theirs",
        lane: "money",
        path: "/v1/kyc/manual-decision",
        object: `kyc:${KYC}`,
        durationMs: 1_000,
        actor: ana,
      },
      { kind: "unavailable", status: null, object: `kyc:${KYC}`, durationMs: 30_000 },
      { at: new Date(NOON + 60_000), durationMs: 999 },
    );
    expect(await listed(JSON.parse(JSON.stringify(filter)))).toEqual(expected);
  });

  it("counts each view of what else is filtered, whichever is open", async () => {
    await given({ kind: "held" }, { kind: "malformed", durationMs: 2_000 }, { actor: ana }, { tenant: "boreal" });
    expect(await listCalls({ view: "slow" })).toMatchObject({ counts: { all: 3, failed: 1, slow: 1 } });
    expect(await listCalls({ actor: ana })).toMatchObject({ counts: { all: 1, failed: 0, slow: 0 } });
  });

  it("redacts possible documents in a call's path", async () => {
    await given({ id: "52998224725" });
    expect(await listed({ search: "52998224725" })).toEqual([1]);
    expect(await listed({ search: "11.222.333/0001-81" })).toEqual([1]);
  });
});

describe("the pages of the call log", () => {
  it("loses no call in either direction, even within one millisecond", async () => {
    await given(...Array.from({ length: 60 }, (_, index) => ({ at: new Date(NOON + Math.floor(index / 20)) })));
    const all = Array.from({ length: 60 }, (_, index) => 60 - index);
    const first = await listCalls();
    const second = await listCalls({ before: first.older ?? "" });
    const third = await listCalls({ before: second.older ?? "" });
    expect([first, second, third].flatMap(({ rows }) => numbers(rows))).toEqual(all);
    expect([first.newer, third.older]).toEqual([null, null]);
    const back = await listCalls({ after: third.newer ?? "" });
    expect(numbers(back.rows)).toEqual(numbers(second.rows));
  });

  it("leads back to a full newest page with the calls made since", async () => {
    await given(...Array.from({ length: 20 }, () => ({})));
    const eleventh = (await listCalls()).rows[10];
    await given({ attempt: 21, at: new Date(NOON + 3_600_000) });
    const top = await listCalls({ after: `${Date.parse(eleventh?.at ?? "")}-${eleventh?.seq}` });
    expect([top.rows.length, top.rows[0]?.attempt, top.newer]).toEqual([21, 21, null]);
  });
});

const justNow = (durationMs: number, kind: Call["kind"] = "ok") => ({ at: new Date(), durationMs, kind });

describe("the last hour", () => {
  it("counts calls and failures, and says how long they took", async () => {
    await given(justNow(100), justNow(200), justNow(300, "unavailable"), justNow(400, "held"), { durationMs: 90_000 });
    const { lastHour } = await listCalls({ view: "slow" });
    expect(lastHour).toEqual({ calls: 4, failed: 1, medianMs: 250, p95Ms: 385 });
  });

  it("counts a not-found read as answered and a not-found write as failed", async () => {
    await given(justNow(100, "not-found"), { ...justNow(100, "not-found"), method: "POST" });
    const { rows, lastHour } = await listCalls({ view: "failed" });
    expect([numbers(rows), lastHour.calls, lastHour.failed]).toEqual([[2], 2, 1]);
  });

  it("gives no duration for an hour without a call", async () => {
    expect((await listCalls()).lastHour).toEqual({ calls: 0, failed: 0, medianMs: null, p95Ms: null });
  });
});

describe("the calls for one record", () => {
  it("shows a record's last twenty calls to its readers", async () => {
    await given(...Array.from({ length: 25 }, () => ({ object: `kyc:${KYC}` })), { object: "kyc:another" });
    signIn("support");
    const rows = await callsFor.kyc(KYC);
    expect([rows.length, rows[0]?.attempt, rows.at(-1)?.attempt]).toEqual([20, 25, 6]);
    await expect(callsFor.wallet("w")).rejects.toMatchObject({ kind: "forbidden" });
  });

  it("shows no calls for another tenant or an invalid id", async () => {
    await given({ object: `kyc:${KYC}`, tenant: "boreal" });
    expect([await callsFor.kyc(KYC), await callsFor.kyc("\0")]).toEqual([[], []]);
  });
});

const minute = (before: number) => new Date(Math.floor(Date.now() / 60_000 - before) * 60_000).toISOString();

describe("the last hour by minute", () => {
  it("counts calls and failures by minute, own tenant only, oldest first", async () => {
    const failed = { kind: "unavailable", status: 503 } as const;
    const at = (before: number, seconds: number) => ({ at: new Date(Date.parse(minute(before)) + seconds * 1_000) });
    const [old, recent] = [minute(59), minute(2)];
    await given(
      { ...at(2, 59), ...failed },
      at(2, 0),
      { ...at(2, 30), kind: "not-found", status: 404 },
      { ...at(2, 30), tenant: "boreal" },
      at(59, 1),
      at(62, 0),
    );
    expect(await listMinutes()).toEqual([
      { from: old, calls: 1, failed: 0 },
      { from: recent, calls: 3, failed: 1 },
    ]);
  });

  it("limits the calls by minute to auditors and administrators", async () => {
    signIn("support", "compliance", "finance", "approver");
    await expect(listMinutes()).rejects.toMatchObject({ kind: "forbidden" });
  });
});

describe("how the provider stands", () => {
  const shut = { isOpen: false } as const;
  const open = { isOpen: true, silentSince: "2026-03-10T11:58:30.000Z", untilProbeMs: 0 } as const;
  const use = {
    limit: 180,
    configured: 180,
    used: 0,
    byLane: { money: 0, people: 0, watchers: 0 },
    waiting: { money: 0, people: 0, watchers: 0 },
    pausedUntil: null,
    oldestWaitMs: 0,
  };

  it.each([
    ["since when no list is read", { money: shut, people: shut, watchers: open }, open.silentSince],
    ["of no silence while lists are read", { money: shut, people: open, watchers: shut }, null],
  ])("reports a provider that %s", async (_, lanes, since) => {
    const reading = vi.spyOn(client, "standing").mockResolvedValue({ use, lanes });
    vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId: ana, roles: ["admin"], tenant: `silent-${since}` }));
    expect((await getStanding()).silentSince).toBe(since);
    reading.mockRestore();
  });
});

async function exportedLines(filter: Parameters<typeof exportCalls>[0]): Promise<string[]> {
  const { parts } = await exportCalls(filter);
  const written: string[] = [];
  for await (const part of parts) written.push(part);
  return written.join("").replace(CSV_START, "").trim().split("\r\n");
}

describe("the file of calls", () => {
  it("holds every call that the filter fits, newest first, and is on record", async () => {
    await given({ actor: ana, object: `kyc:${KYC}` }, { kind: "unavailable", status: null }, { tenant: "boreal" });
    const [head, ...lines] = await exportedLines({ view: "all" });
    expect(head).toMatch(/^"Time"/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("No answer");
    expect(lines[1]).toMatch(/"GET","\/v1\/kyc\/list",.*Ana Prado/);
    expect(await exportedLines({ view: "failed" })).toHaveLength(2);
    const exported = await db.select().from(auditEvent).where(eq(auditEvent.code, "calls.export"));
    expect(exported.map(({ detail }) => detail)).toContainEqual({ format: "csv", filter: "?view=failed" });
  });

  it("is for who may export the record alone", async () => {
    signIn("support");
    await expect(exportCalls()).rejects.toMatchObject({ kind: "forbidden" });
  });
});
