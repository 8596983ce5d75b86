import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { providerFinding } from "@/lib/db/tables/provider";
import type { FindingKind } from "@/lib/db/enums/provider";
import { civilDaysAgo } from "@/lib/text/time";
import { givenEnv, givenStore } from "@/test/support/console";
import { readAnswerChanges } from "./records";

const LIST = "GET /v1/kyc/list";

let db: Db;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

type Found = { daysAgo: number; is: FindingKind; answers: number; field?: string; tenant?: string };

async function find(...all: readonly Found[]) {
  const at = new Date();
  const rows = all.map(({ daysAgo, field = "", tenant = "aurora", ...one }) => ({
    tenant,
    field,
    found: "",
    documented: "",
    operation: LIST,
    firstAt: at,
    lastAt: at,
    ...one,
    day: civilDaysAgo(daysAgo),
  }));
  await db.insert(providerFinding).values(rows);
}

const standing = async () => {
  const { begun, ended } = await readAnswerChanges(db, "aurora");
  return { begun: [...begun], hasEnded: ended(LIST) };
};

it("names an operation whose answers lack a documented field since today", async () => {
  await find({ daysAgo: 1, is: "ANSWERED", answers: 100 }, { daysAgo: 0, is: "ANSWERED", answers: 20 });
  expect(await standing()).toEqual({ begun: [], hasEnded: true });
  await find({ daysAgo: 0, is: "MISSING", answers: 20, field: "limit" });
  expect(await standing()).toEqual({ begun: [LIST], hasEnded: false });
});

it("ends no change that goes on, nor one of an operation that was not asked", async () => {
  await find({ daysAgo: 2, is: "ANSWERED", answers: 100 }, { daysAgo: 1, is: "ANSWERED", answers: 100 });
  await find({ daysAgo: 1, is: "RETYPED", answers: 100, field: "page" });
  expect(await standing()).toEqual({ begun: [], hasEnded: false });
  await find({ daysAgo: 0, is: "ANSWERED", answers: 9 }, { daysAgo: 0, is: "RETYPED", answers: 9, field: "page" });
  expect(await standing()).toEqual({ begun: [], hasEnded: false });
});

it("knows nothing of another tenant's answers", async () => {
  await find({ daysAgo: 1, is: "ANSWERED", answers: 9, tenant: "boreal" });
  await find({ daysAgo: 0, is: "ANSWERED", answers: 9, tenant: "boreal" });
  await find({ daysAgo: 0, is: "MISSING", answers: 9, field: "limit", tenant: "boreal" });
  expect(await standing()).toEqual({ begun: [], hasEnded: false });
});
