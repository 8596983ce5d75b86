import { createPublicKey } from "node:crypto";
import { asc, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { signingKey } from "@/lib/audit/head";
import { env } from "@/lib/settings/env";
import { dataKey } from "@/lib/settings/keys";
import type { CaseDecision } from "@/lib/kyc/inputs";
import { decide, decisionOn, startKyc } from "@/test/support/kyc";
import { resealRound } from "@/lib/privacy/rotation";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { fileOf } from "./records";
import { dossier } from "@/lib/db/tables/dossiers";
import { verifyDossier } from "./verify";

let db: Db;
let service: Harness;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  service = await givenService();
});

const deciding = (input: CaseDecision) => decide(actorOf("compliance", staffId, "kyc:decide"), input);
const rows = () => db.select().from(dossier).orderBy(asc(dossier.createdAt));

const refused = (change: Partial<typeof dossier.$inferInsert>) =>
  expect(db.update(dossier).set(change)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/sealed once|stays as it was|frozen or sealed/) },
  });

describe("a sealed dossier in the store", () => {
  it("refuses to change, empty or reopen a sealed dossier", async () => {
    await deciding(decisionOn(await startKyc(service)));
    await refused({ sha256: "0".repeat(64) });
    await refused({ endState: "REFUSED" });
    await refused({ frozenHash: "0".repeat(64) });
    await refused({ sealedAt: null, fileSealed: null, frozenSealed: "v2." });
    await refused({ fileSealed: null });
    await expect(db.execute(sql`truncate dossier`)).rejects.toMatchObject({
      cause: { message: "dossiers are not emptied" },
    });
  });

  it("keeps a dossier's content when resealed under another key", async () => {
    await deciding(decisionOn(await startKyc(service)));
    const [before] = await rows();
    const [old] = givenEnv().dataKeys;
    givenEnv({ dataKeys: [dataKey(Buffer.alloc(32, 5)), old] });
    await resealRound(db);
    const [after] = await rows();
    if (before === undefined || after === undefined) throw new Error("the dossier is missing");
    expect(after.fileSealed).not.toBe(before.fileSealed);
    givenEnv({ dataKeys: [dataKey(Buffer.alloc(32, 5))] });
    const key = createPublicKey(signingKey(env().auditKey));
    expect(verifyDossier(Buffer.from(fileOf(after) ?? ""), [key])).toMatchObject({ kind: "valid" });
  });

  it("does not open a dossier in another one's row", async () => {
    const kycUUID = await startKyc(service);
    await deciding(decisionOn(kycUUID));
    await deciding(decisionOn(kycUUID, { expected: { status: "APPROVED", process: "kyc-backgroundcheck" } }));
    const [first, second] = await rows();
    if (first === undefined || second === undefined) throw new Error("a dossier is missing");
    expect(() => fileOf({ ...first, fileSealed: second.fileSealed })).toThrow("authenticate");
  });
});
