import { dossier } from "@/lib/dossiers/schema";
import { decide } from "@/lib/kyc/approvals";
import { decisionOn, startKyc } from "@/lib/kyc/testing";
import { actorOf } from "@/lib/testing";
import type { Act } from "./acts-testing";

/** The ways in which somebody takes evidence out. */
export const DOSSIER_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "dossiers.exportDossier": {
    "taking a dossier out": async ({ db, service, seatOf }) => {
      const by = await seatOf("compliance");
      await decide(actorOf("compliance", by.staffId, "kyc:decide"), decisionOn(await startKyc(service)));
      const [sealed] = await db.select().from(dossier);
      return { by, input: { dossierId: sealed?.id ?? "", format: "json" } };
    },
  },
};
