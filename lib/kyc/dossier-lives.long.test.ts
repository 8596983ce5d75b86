import { createPublicKey, randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { signingKey } from "@/lib/audit/head";
import { providerIntent } from "@/lib/db/tables/provider";
import { Contents } from "@/lib/dossiers/contents";
import { fileOf } from "@/lib/dossiers/records";
import { dossier } from "@/lib/db/tables/dossiers";
import { verifyDossier } from "@/lib/dossiers/verify";
import { env } from "@/lib/settings/env";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import type { Harness } from "@/test/support/service/harness";
import type { CaseDecision } from "./inputs";
import { decide, decisionOn, startKyc } from "@/test/support/kyc";
import { kycWatch } from "./watch";

const DECIDE = "/v1/kyc/manual-decision";

/** The provider's reaction to the next decision. */
const ANSWERS = {
  takes: null,
  refuses: { status: 422, body: { message: "no" } },
  fails: { status: 503, body: { message: "down" } },
  "loses the answer": { drop: true },
} as const;

type Step =
  | { do: "decide"; decision: "APPROVED" | "REPROVED"; answer: keyof typeof ANSWERS; isLate: boolean }
  | { do: "same again" }
  | { do: "provider moves"; status: "APPROVED" | "REPROVED" | "PENDING" }
  | { do: "restart" }
  | { do: "sweep" };

const decision = fc.constantFrom("APPROVED", "REPROVED");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("decide"),
      decision,
      answer: fc.constantFrom("takes", "refuses", "fails", "loses the answer"),
      /** Decided on an outdated state. */
      isLate: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("same again") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("provider moves"),
      status: fc.constantFrom("APPROVED", "REPROVED", "PENDING"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sweep") }) },
);

let db: Db;
let service: Harness;
let staffId = "";

beforeEach(() => void givenEnv());

async function begin(): Promise<string> {
  db = await givenStore();
  staffId = await givenStaff(db, "compliance");
  service = await givenService();
  globalThis.retaguardaIntents = undefined;
  const kycUUID = await startKyc(service);
  await sweepOnce(kycWatch, "aurora");
  return kycUUID;
}

async function seen(kycUUID: string) {
  const [row] = await db.select().from(kycCase).where(eq(kycCase.kycUUID, kycUUID));
  return { status: row?.status ?? "", process: row?.process ?? "" };
}

type Life = { kycUUID: string; last: CaseDecision | null };

/** It may be refused, lost or accepted: the store has the outcome. */
const deciding = (input: CaseDecision) =>
  decide(actorOf("compliance", staffId, "kyc:decide"), input).catch(() => undefined);

async function live(life: Life, one: Step): Promise<void> {
  const { kycUUID } = life;
  switch (one.do) {
    case "decide": {
      const expected = one.isLate ? { status: "PASSED", process: "none" } : await seen(kycUUID);
      const how = ANSWERS[one.answer];
      await service.control("DELETE", "/sandbox/faults");
      if (how !== null)
        await service.control("POST", "/sandbox/faults", { method: "POST", path: DECIDE, times: 1, ...how });
      life.last = decisionOn(kycUUID, { decision: one.decision, expected });
      await deciding(life.last);
      return;
    }
    case "same again":
      if (life.last !== null) await deciding(life.last);
      return;
    case "provider moves":
      await service.control("POST", `/sandbox/kyc/${kycUUID}`, { status: one.status });
      return;
    case "restart":
      globalThis.retaguardaIntents = undefined;
      await db.update(providerIntent).set({ owner: randomUUID(), sendingUntil: sql`clock_timestamp()` });
      return;
    case "sweep":
      await sweepOnce(kycWatch, "aurora");
  }
}

type Row = typeof dossier.$inferSelect;

/** Mismatches between an intent's openings and its dossiers. */
function misfits(rows: readonly Row[], { id, key, state }: typeof providerIntent.$inferSelect): string[] {
  const [row, ...others] = rows.filter(({ intentId, opening }) => intentId === id && opening === key);
  if (row === undefined || others.length > 0) return [`an opening has ${others.length + (row ? 1 : 0)} dossiers`];
  const isEnded = state === "DONE" || state === "REFUSED";
  if (isEnded && row.endState !== state) return [`${state} is sealed as ${row.endState}`];
  return state === "SENDING" && row.sealedAt !== null ? ["sealed while it is being sent"] : [];
}

async function isValid(row: Row): Promise<boolean> {
  const key = createPublicKey(signingKey(env().auditKey));
  const verification = verifyDossier(Buffer.from(fileOf(row) ?? ""), [key]);
  if (verification.kind !== "valid" || verification.sha256 !== row.sha256) return false;
  return Contents.parse(verification.contents).outcome.state === row.endState;
}

const told = (hashes: readonly unknown[]) => hashes.map(String).toSorted((one, other) => one.localeCompare(other));

async function faults(): Promise<string[]> {
  const rows = await db.select().from(dossier);
  const intents = await db.select().from(providerIntent);
  const sealed = rows.filter((row) => row.sealedAt !== null);
  const valid = await Promise.all(sealed.map(isValid));
  const recorded = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.dossier"));
  const events = await db.$count(kycEvent, eq(kycEvent.kind, "dossier-sealed"));
  const names = told(recorded.map(({ detail }) => detail["sha256"]));
  return [
    ...intents.flatMap((intent) => misfits(rows, intent)),
    ...valid.flatMap((isSound) => (isSound ? [] : ["a sealed one is not valid"])),
    ...(names.join(" ") === told(sealed.map(({ sha256 }) => sha256)).join(" ") ? [] : ["the record names others"]),
    ...(events === sealed.length ? [] : ["the timeline tells of others"]),
  ];
}

it("gives each decision one valid dossier, sealed once and audited", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const life: Life = { kycUUID: await begin(), last: null };
      for (const one of steps) await live(life, one);
      expect(await faults()).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 120_000);
