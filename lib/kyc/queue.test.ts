import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { KycRecord, type KycStatus } from "@/lib/contract/kyc";
import type { Actor } from "@/lib/permission/grant";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { type CaseCount, caseQueueSearch } from "./view";
import { readNeighbours } from "./neighbours";
import { findCase, readCaseQueue } from "./queue";
import { saveRecords } from "./sync";
import { KycFilter } from "./inputs";
import { givenCase } from "@/test/support/kyc";

const HOUR_MS = 3_600_000;

let db: Db;
let me: Actor<"kyc:read">;
let colleague: string;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  colleague = await givenStaff(db, "compliance");
});

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);
const numbers = (counts: Record<string, CaseCount>) =>
  Object.fromEntries(Object.entries(counts).map(([name, { cases }]) => [name, cases]));
const ids = async (filter: Partial<KycFilter>) => (await readCaseQueue(me, filter)).rows.map(({ kycUUID }) => kycUUID);

const marked = async () =>
  (await readCaseQueue(me, { status: "all" })).rows.map(({ kycUUID, reopened }) => [kycUUID, reopened?.from ?? null]);

describe("the queue", () => {
  it("sorts open cases by deadline, provider-held ones last, with the assignee", async () => {
    const analysed = await givenCase(db, { status: "PROCESSING", waitingSince: null, dueAt: null });
    const later = await givenCase(db, { dueAt: inHours(20) });
    const late = await givenCase(db, { dueAt: inHours(-3), assigneeId: colleague });
    const soon = await givenCase(db, { dueAt: inHours(2) });
    await givenCase(db, { status: "APPROVED", decidedAt: new Date() });
    const { rows } = await readCaseQueue(me);
    expect(rows.map(({ kycUUID, assignee }) => [kycUUID, assignee?.name ?? null])).toEqual([
      [late, "Ana Prado"],
      [soon, null],
      [later, null],
      [analysed, null],
    ]);
  });

  it("lists decided cases, or all, newest first unless another order is asked", async () => {
    const approved = await givenCase(db, { status: "APPROVED", dueAt: inHours(-9), decidedAt: new Date() });
    const late = await givenCase(db, { dueAt: inHours(-3) });
    const newer = await givenCase(db, { status: "APPROVED", dueAt: inHours(-1), decidedAt: new Date() });
    expect(await ids({ status: "APPROVED" })).toEqual([newer, approved]);
    expect(await ids({ status: "all" })).toEqual([newer, late, approved]);
  });

  it("lists open cases before decided ones when sorted by deadline", async () => {
    const decided = await givenCase(db, { status: "REPROVED", dueAt: inHours(-90), decidedAt: new Date() });
    const analysed = await givenCase(db, { status: "PROCESSING", waitingSince: null, dueAt: null });
    const due = await givenCase(db, { dueAt: inHours(3) });
    expect(await ids({ status: "all", sort: "due" })).toEqual([due, analysed, decided]);
    expect(await ids({ status: "all", sort: "due", order: "desc" })).toEqual([decided, analysed, due]);
  });

  it("splits my, unassigned and due cases, and counts each", async () => {
    const own = await givenCase(db, { assigneeId: me.id, dueAt: inHours(40) });
    const late = await givenCase(db, { assigneeId: colleague, dueAt: inHours(-2) });
    const soon = await givenCase(db, { dueAt: inHours(3) });
    await givenCase(db, { status: "REPROVED", dueAt: inHours(-9), decidedAt: new Date() });
    expect(await ids({ view: "mine" })).toEqual([own]);
    expect(await ids({ view: "unassigned" })).toEqual([soon]);
    expect(await ids({ view: "due" })).toEqual([late, soon]);
    expect(numbers((await readCaseQueue(me)).views)).toEqual({
      mine: 1,
      unassigned: 1,
      due: 2,
      all: 3,
      "put-off": 0,
      escalated: 0,
    });
  });

  it("counts each status under the rest of the filter", async () => {
    await givenCase(db, { kycType: "PJ" });
    await givenCase(db);
    await givenCase(db, { status: "PROCESSING", waitingSince: null, dueAt: null });
    await givenCase(db, { status: "APPROVED", decidedAt: new Date() });
    const { counts, total } = await readCaseQueue(me, { type: "PF" });
    expect(numbers(counts)).toEqual({ open: 2, PENDING: 1, PROCESSING: 1, APPROVED: 1, REPROVED: 0, all: 3 });
    expect(total).toEqual({ cases: 2, isExact: true });
  });

  it.each([
    ["its stage", { process: "kyc-documentscopy" }],
    ["its tags", { tags: ["pep", "filial sul"] }],
    ["its age", { age: "7" }],
    ["how late it is", { due: "late" }],
    ["the beginning of its id", { search: "beefcafe" }],
    ["the digits that its mask shows", { search: "982.2" }],
    ["a tag", { search: "PEP" }],
  ] as const)("finds a case by %s", async (_, filter) => {
    const wanted = await givenCase(db, {
      kycUUID: `beefcafe-${randomUUID().slice(9)}`,
      vatNumber: "***.982.247-**",
      process: "kyc-documentscopy",
      tags: ["filial sul", "pep"],
      firstSeenAt: inHours(-24 * 8),
      dueAt: inHours(-1),
    });
    await givenCase(db, { kycUUID: `ffffffff-${randomUUID().slice(9)}`, vatNumber: "***.111.222-**", tags: ["outra"] });
    expect(await ids(KycFilter.parse(filter))).toEqual([wanted]);
  });

  it("marks a reopened case with its old status and time until decided again", async () => {
    const records = async (kycUUID: string, status: KycStatus) => {
      const process = "kyc-backgroundcheck";
      const listed = [KycRecord.parse({ kycUUID, vatNumber: "***.456.789-**", process, status, kycType: "PF" })];
      await db.transaction((tx) => saveRecords(tx, "aurora", { records: listed, askedAt: new Date() }));
    };
    for (const status of ["PENDING", "APPROVED"] as const) await records("back", status);
    for (const status of ["PROCESSING", "PENDING"] as const) await records("first", status);
    expect(await marked()).toEqual([
      ["first", null],
      ["back", null],
    ]);
    await records("back", "PENDING");
    expect(await marked()).toContainEqual(["back", "APPROVED"]);
    const found = await findCase(db, { tenant: "aurora", kycUUID: "back" });
    expect(found?.row.reopened).toEqual({ from: "APPROVED", at: expect.stringMatching(/^\d{4}-.*Z$/) });
    await records("back", "PROCESSING");
    expect(await marked()).toContainEqual(["back", "APPROVED"]);
    await records("back", "REPROVED");
    expect(await marked()).toContainEqual(["back", null]);
  });

  it("treats wildcard characters in a search literally", async () => {
    await givenCase(db);
    expect(await ids({ search: "%" })).toHaveLength(1);
    expect(await ids({ search: "_a_a" })).toEqual([]);
  });

  it("shows no case of another tenant", async () => {
    const theirs = await givenCase(db, { tenant: "boreal", tags: ["pep"] });
    expect(await ids({ status: "all" })).toEqual([]);
    expect(await ids({ status: "all", ids: [theirs] })).toEqual([]);
    expect(await ids({ search: "pep" })).toEqual([]);
  });
});

const seconds = (count: number) => new Date(Date.UTC(2026, 10, 21) + count * 1_000);

describe("the pages of the queue", () => {
  it.each([
    { sort: "arrival", order: "desc", status: "open" },
    { sort: "arrival", order: "asc", status: "open" },
    { sort: "due", order: "asc", status: "open" },
    { sort: "due", order: "desc", status: "open" },
    { sort: "due", order: "asc", status: "all" },
    { sort: "due", order: "desc", status: "all" },
    { sort: "due", order: "asc", status: "PENDING" },
    { sort: "changed", order: "desc", status: "open" },
    { sort: "changed", order: "asc", status: "open" },
    { sort: "waiting", order: "asc", status: "open" },
    { sort: "waiting", order: "desc", status: "open" },
  ] as const)("visits every case once in both directions, by $sort $order, $status", async (by) => {
    for (let n = 0; n < 60; n += 1) {
      // Many at the same time, and some that do not wait.
      const at = n % 5 === 0 ? null : seconds(n % 7);
      await givenCase(db, { dueAt: at, waitingSince: at, changedAt: seconds(n % 3), tags: [] });
    }
    const there: string[] = [];
    let page = await readCaseQueue(me, by);
    expect(page.previous).toBeNull();
    there.push(...page.rows.map(({ kycUUID }) => kycUUID));
    while (page.next !== null) {
      page = await readCaseQueue(me, { ...by, after: page.next });
      there.push(...page.rows.map(({ kycUUID }) => kycUUID));
    }
    expect(new Set(there).size).toBe(60);
    expect(there).toHaveLength(60);
    const back = await readCaseQueue(me, { ...by, before: page.previous ?? "" });
    expect(back.rows.map(({ kycUUID }) => kycUUID)).toEqual(there.slice(25, 50));
    const first = await readCaseQueue(me, { ...by, before: back.previous ?? "" });
    expect(first.rows.map(({ kycUUID }) => kycUUID)).toEqual(there.slice(0, 25));
    expect(await readNeighbours(me, there[30] ?? "", by)).toEqual({ previous: there[29], next: there[31] });
    expect(await readNeighbours(me, there[0] ?? "", by)).toEqual({ previous: null, next: there[1] });
  });

  it("restarts paging when the case at the edge is gone", async () => {
    const only = await givenCase(db);
    expect(await ids({ after: "~-5" })).toEqual([only]);
  });
});

describe("a filter in an address", () => {
  it("falls back to the default for an invalid filter", () => {
    const nonsense = {
      view: "x",
      status: "y",
      type: "XX",
      assignee: "me",
      tags: "<b>",
      due: "1",
      sort: "z",
      after: "1;--",
    };
    expect(KycFilter.parse(nonsense)).toEqual({ view: "all", status: "open" });
  });

  it("round-trips a filter through the URL", () => {
    const filter = KycFilter.parse({
      view: "due",
      status: "PENDING",
      tags: ["pep", "filial sul"],
      sort: "changed",
      order: "asc",
      search: "52998224725",
    });
    expect(KycFilter.parse(Object.fromEntries(new URLSearchParams(caseQueueSearch(filter))))).toEqual(filter);
    expect(caseQueueSearch(filter)).not.toContain("52998224725");
  });
});
