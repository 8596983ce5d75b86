import { beforeEach, describe, expect, it, vi } from "vitest";
import { record } from "@/lib/audit/record";
import { auditEvent } from "@/lib/db/tables/audit";
import { log } from "@/lib/log/log";
import { givenEnv, givenStore } from "@/test/support/console";
import { losingStore } from "@/test/support/slices";
import type { Db, Tx } from "./connection";
import { type Judged, saveJudged } from "./slices";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const entry = { tenant: "aurora", actor: "somebody", code: "wallets.label", outcome: "DONE" } as const;

const rows = (count: number): Judged<number, "bad">[] =>
  Array.from({ length: count }, (_, nth) => (nth === 1 ? { outcome: "bad" } : { order: nth }));

const save = async (tx: Tx, slice: readonly number[]) => {
  await record(tx, { ...entry, detail: { rows: slice.length } });
  return slice.map(() => "saved" as const);
};

describe("rows of a file", () => {
  it("saves rows fifty at a time and reports each in its place", async () => {
    const outcomes = await saveJudged(db, rows(121), save);
    expect(outcomes.map((outcome, nth) => (outcome === "bad" ? nth : -1)).filter((nth) => nth >= 0)).toEqual([1]);
    expect(outcomes.filter((outcome) => outcome === "saved")).toHaveLength(120);
    const slices = await db.select().from(auditEvent).orderBy(auditEvent.seq);
    expect(slices.map(({ detail }) => detail["rows"])).toEqual([50, 50, 20]);
  });

  it("saves no row from a failing slice on", async () => {
    vi.spyOn(log, "error").mockImplementation(() => undefined);
    losingStore(db);
    const outcomes = await saveJudged(db, rows(60), save);
    expect(outcomes.slice(0, 3)).toEqual(["saved", "bad", "saved"]);
    expect(outcomes.filter((outcome) => outcome === "unsaved")).toHaveLength(9);
  });

  it("fails a file's rows together when none is saved", async () => {
    const failing = saveJudged(db, rows(60), () => Promise.reject(new Error("no room")));
    await expect(failing).rejects.toThrow("no room");
  });
});
