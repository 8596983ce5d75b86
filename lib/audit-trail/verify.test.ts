import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { abandoned } from "@/lib/audit/incident";
import { record } from "@/lib/audit/record";
import { givenHeads, givenRows, REWRITE, tamper, TENANT } from "@/test/support/audit";
import { type Fault, verifyTenant } from "./verify";

let db: Db;
let heads: ReturnType<typeof givenHeads>;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  heads = givenHeads(db);
});

const verify = () => verifyTenant(db, TENANT, heads.trust);

describe("a record that nobody touched", () => {
  it("passes an intact record to its last row, with every signed head", async () => {
    await givenRows(db, 20);
    await heads.sign();
    await givenRows(db, 7);
    await heads.sign();
    await givenRows(db, 3, "boreal");
    expect(await verify()).toMatchObject({ upTo: { seq: 27 }, heads: 2, cutShort: 0, fault: null, begun: [] });
    expect(await verifyTenant(db, "boreal", heads.trust)).toMatchObject({ upTo: { seq: 3 }, fault: null });
    expect(await verifyTenant(db, "cobalto", heads.trust)).toMatchObject({ upTo: { seq: 0 }, fault: null });
  });

  it("passes a record after a power loss in the middle of a head", async () => {
    await givenRows(db, 5);
    await heads.sign();
    appendFileSync(file(), '{"tenant":"auro');
    await givenRows(db, 5);
    await heads.sign();
    expect(await verify()).toMatchObject({ upTo: { seq: 10 }, heads: 2, cutShort: 1, fault: null });
  });
});

const detected = new Set<string>();
afterAll(() => {
  const engine = readTestDatabaseUrl() === undefined ? "PGlite" : "PostgreSQL";
  console.info(`audit record: ${detected.size} of ${Object.keys(ATTACKS).length} attacks detected on ${engine}`);
});

/** 30 rows, 20 of them signed, an attack on them, the first bad row and its fault. */
const ATTACKS: Record<string, { statements: string[]; fault: Fault }> = {
  "editing a row": {
    statements: ["UPDATE audit_event SET detail = '{\"n\": 99}' WHERE seq = 12"],
    fault: { kind: "altered", seq: 12 },
  },
  "deleting a row": {
    statements: ["DELETE FROM audit_event WHERE seq = 12"],
    fault: { kind: "missing", seq: 12 },
  },
  "inserting a row": {
    statements: [
      "UPDATE audit_event SET seq = -seq - 1 WHERE seq >= 12",
      "UPDATE audit_event SET seq = -seq WHERE seq < 0",
      "INSERT INTO audit_event SELECT seq - 1 AS seq, tenant, at, code, outcome, actor, object, intent_id, detail, hash FROM audit_event WHERE seq = 13",
      "UPDATE audit_head SET seq = 31",
    ],
    fault: { kind: "altered", seq: 13 },
  },
  "putting rows in another order": {
    statements: [
      "UPDATE audit_event SET seq = -17 WHERE seq = 12",
      "UPDATE audit_event SET seq = 12 WHERE seq = 17",
      "UPDATE audit_event SET seq = 17 WHERE seq = -17",
    ],
    fault: { kind: "altered", seq: 12 },
  },
  "cutting off the end": {
    statements: ["DELETE FROM audit_event WHERE seq > 25"],
    fault: { kind: "truncated", seq: 26 },
  },
  "restoring an older copy": {
    statements: [
      "DELETE FROM audit_event WHERE seq > 15",
      "UPDATE audit_head SET (seq, at, hash) = (SELECT seq, at, hash FROM audit_event WHERE seq = 15)",
    ],
    fault: { kind: "restored", seq: 16 },
  },
  "rewriting the whole chain": {
    statements: ["UPDATE audit_event SET detail = '{\"n\": 99}' WHERE seq = 12", REWRITE],
    fault: { kind: "rewritten", seq: 11 },
  },
};

describe("of the attacks on a record", () => {
  it.each(Object.entries(ATTACKS))(
    "%s is detected and its first bad row named",
    async (name, { statements, fault }) => {
      await givenRows(db, 10);
      await heads.sign();
      await givenRows(db, 10);
      await heads.sign();
      await givenRows(db, 10);
      await tamper(db, ...statements);
      const { fault: found } = await verify();
      expect(found).toEqual(fault);
      detected.add(name);
    },
  );
});

describe("a forger who knows how the record is made", () => {
  beforeEach(async () => {
    await givenRows(db, 10);
    await heads.sign();
    await givenRows(db, 10);
  });

  it.each<[string, string[], Fault]>([
    [
      "numbers on after taking a row out",
      [
        "DELETE FROM audit_event WHERE seq = 12",
        "UPDATE audit_event SET seq = -seq + 1 WHERE seq > 12",
        "UPDATE audit_event SET seq = -seq WHERE seq < 0",
        "UPDATE audit_head SET seq = 19",
      ],
      { kind: "altered", seq: 12 },
    ],
    [
      "exchanges what two rows say and leaves their hashes",
      [
        `UPDATE audit_event a SET (at, object, detail) = (SELECT at, object, detail FROM audit_event b
          WHERE b.seq = CASE a.seq WHEN 12 THEN 13 ELSE 12 END) WHERE seq IN (12, 13)`,
      ],
      { kind: "altered", seq: 12 },
    ],
    [
      "gives the row that was put in a hash that fits",
      [
        "UPDATE audit_event SET seq = -seq - 1 WHERE seq >= 12",
        "UPDATE audit_event SET seq = -seq WHERE seq < 0",
        `INSERT INTO audit_event SELECT seq - 1 AS seq, tenant, at, code, outcome, actor, object, intent_id, detail, ''
          FROM audit_event WHERE seq = 13`,
        `UPDATE audit_event a SET hash = audit_hash(a, (SELECT hash FROM audit_event WHERE seq = 11)) WHERE seq = 12`,
        "UPDATE audit_head SET seq = 21",
      ],
      { kind: "altered", seq: 13 },
    ],
    [
      "adds rows behind the head",
      [
        "INSERT INTO audit_event (tenant, seq, code, outcome, actor, detail) VALUES ('aurora', 21, 'a.b', 'DONE', 'x', '{}')",
      ],
      { kind: "inserted", seq: 21 },
    ],
    ["takes everything away", ["DELETE FROM audit_event", "DELETE FROM audit_head"], { kind: "restored", seq: 1 }],
    [
      "edits only the time",
      ["UPDATE audit_event SET at = at + interval '1 us' WHERE seq = 3"],
      { kind: "altered", seq: 3 },
    ],
  ])("fails to %s unnoticed", async (_, statements, fault) => {
    await tamper(db, ...statements);
    expect((await verify()).fault).toEqual(fault);
  });

  it("signs no head for a record that departs from the last head", async () => {
    await tamper(db, "UPDATE audit_event SET detail = '{}' WHERE seq = 4", REWRITE);
    await expect(heads.sign()).rejects.toThrow("no longer holds row 10 as it was signed");
  });
});

const file = () => join(heads.directory, `${TENANT}.jsonl`);
const lines = () => readFileSync(file(), "utf8").trimEnd().split("\n");

describe("the signed heads", () => {
  beforeEach(async () => {
    for (let n = 0; n < 4; n += 1) {
      await givenRows(db, 5);
      await heads.sign();
    }
  });

  it("names in each head the previous one", async () => {
    expect(lines()).toHaveLength(4);
    writeFileSync(file(), `${lines().toSpliced(1, 1).join("\n")}\n`);
    expect((await verify()).fault).toEqual({ kind: "missing-head", seq: 6 });
  });

  it("refuses heads that another key signed", async () => {
    const forged = { ...JSON.parse(lines()[1] ?? ""), signature: Buffer.alloc(64).toString("base64") };
    writeFileSync(file(), `${lines().with(1, JSON.stringify(forged)).join("\n")}\n`);
    expect((await verify()).fault).toEqual({ kind: "forged-head", seq: 6 });
  });

  it("stores heads readable by their owner alone, and ships them byte for byte", async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(lines()).toEqual(heads.shipped.map((head) => JSON.stringify(head)));
  });

  it("signs a head each minute or thousand rows, and only for new rows", async () => {
    expect(await heads.sign(TENANT, 0)).toBeNull();
    await givenRows(db, 1);
    expect(await heads.sign(TENANT, 59_000)).toBeNull();
    await givenRows(db, 998);
    expect(await heads.sign(TENANT, 0)).toBeNull();
    await givenRows(db, 1);
    expect(await heads.sign(TENANT, 0)).toMatchObject({ seq: 1_020 });
  });
});

it("names a write that began without a recorded end", async () => {
  const lost = randomUUID();
  const ended = randomUUID();
  const late = randomUUID();
  const entry = { tenant: TENANT, actor: "ana", code: "kyc.decide" } as const;
  await record(db, { ...entry, outcome: "INTENT", intentId: lost });
  await record(db, { ...entry, outcome: "INTENT", intentId: ended });
  await record(db, { ...entry, outcome: "UNKNOWN", intentId: ended });
  await tamper(db, "UPDATE audit_event SET at = at - interval '3 minutes'", REWRITE);
  await record(db, { ...entry, outcome: "INTENT", intentId: late });
  const { fault, begun } = await verify();
  expect(fault).toBeNull();
  expect(begun.map(({ intentId }) => intentId)).toEqual([lost, late]);
  expect(abandoned(begun, Date.now())).toMatchObject([{ intentId: lost, seq: 1, code: "kyc.decide" }]);
});
