import { randomUUID } from "node:crypto";
import { addFile } from "@/lib/casework/file";
import { noteOnCase } from "@/lib/kyc/decisions";
import { caseTarget } from "@/lib/kyc/decisions";
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
  "kyc.removeCaseFile": {
    "removing a file": async ({ db, seatOf }) => {
      const by = await seatOf("compliance");
      const file = { id: await givenCase(db), fileId: randomUUID() };
      const target = caseTarget("aurora", file.id);
      const sent = { fileId: file.fileId, name: "contrato.pdf", bytes: Buffer.from("%PDF-1.7") };
      await addFile(actorOf("compliance", by.staffId, "kyc:note"), target, sent);
      return { by, input: { ...file, reason: "Veio o documento de outra pessoa" } };
    },
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
