import { randomUUID } from "node:crypto";
import { noteOnCase } from "@/lib/kyc/notes";
import { givenCase } from "@/lib/kyc/testing";
import { actorOf } from "@/lib/testing";
import type { Act } from "./acts-testing";

const text = "Pediu o contrato social por telefone";

/** The ways in which what our people put to a record is written. */
export const CASEWORK_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "kyc.addCaseNote": {
    "a note on a case": async ({ db, seatOf }) => ({
      by: await seatOf("compliance"),
      input: { id: await givenCase(db), noteId: randomUUID(), text },
    }),
  },
  "kyc.retractCaseNote": {
    "taking a note back": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const note = { id: await givenCase(db), noteId: randomUUID() };
      await noteOnCase(actorOf("compliance", by.staffId, "kyc:note"), { ...note, text });
      return { by, input: note };
    },
  },
};
