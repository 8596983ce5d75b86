import { beforeEach, describe, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import { listCaseAccesses } from "@/lib/privacy/queries";
import { USUAL_PER_HOUR } from "@/lib/privacy/reveal";
import { sessionOf } from "@/test/support/auth";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { decide, decisionOn, startKyc } from "@/test/support/kyc";
import { dossiersOf } from "@/lib/dossiers/records";
import { DossierWish, takeDossier } from "./take-dossier";

const why = { reason: "authority", note: "Ofício 417/2026" } as const;

let db: Db;
let carla = "";
let kycUUID = "";
let dossierId = "";

const signIn = (changes: { isProven?: boolean } = {}) =>
  vi
    .mocked(getSession)
    .mockResolvedValue({ ...sessionOf({ staffId: carla, tenant: "aurora", roles: ["compliance"] }), ...changes });

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  carla = await givenStaff(db, "compliance");
  kycUUID = await startKyc(await givenService());
  await decide(actorOf("compliance", carla, "kyc:decide"), decisionOn(kycUUID));
  const [sealed] = await dossiersOf(db, "aurora", `kyc:${kycUUID}`);
  dossierId = sealed?.id ?? "";
  signIn({ isProven: true });
});

const take = () => takeDossier(actorOf("compliance", carla, "dossiers:export"), { dossierId, format: "json", ...why });

describe("a dossier", () => {
  it("asks for a reason, which the case's access log shows", async () => {
    expect((await take()).fileName).toBe(`dossier-kyc-${kycUUID}.json`);
    const [access] = (await listCaseAccesses(kycUUID)) ?? [];
    expect(access).toMatchObject({ code: "personal-data.file", reason: { choice: "authority", note: why.note } });
  });

  it("refuses a dossier without a reason", () => {
    expect(DossierWish.safeParse({ dossierId, format: "json" }).success).toBe(false);
  });

  it("counts a dossier among the reveals of an hour", async () => {
    for (let n = 0; n < USUAL_PER_HOUR; n += 1) await take();
    signIn({ isProven: false });
    await expect(take()).rejects.toMatchObject({ kind: "forbidden", details: { code: "step-up" } });
  });
});
