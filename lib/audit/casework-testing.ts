import { randomUUID } from "node:crypto";
import { accountTarget } from "@/lib/accounts/casework";
import { addFile } from "@/lib/casework/file";
import { addNote } from "@/lib/casework/note";
import { caseTarget } from "@/lib/kyc/decisions";
import { givenCase } from "@/lib/kyc/testing";
import { actorOf } from "@/lib/testing";
import { givenAccount } from "@/lib/privacy/testing";
import type { Act, Stage } from "./acts-testing";

const text = "Pediu o contrato social por telefone";

const PLACES = {
  kyc: {
    role: "compliance",
    permission: "kyc:note",
    given: (stage: Stage) => givenCase(stage.db),
    targetOf: caseTarget,
  },
  accounts: {
    role: "support",
    permission: "accounts:note",
    given: (stage: Stage) => givenAccount(stage.db, "52998224725"),
    targetOf: accountTarget,
  },
} as const;
type Place = (typeof PLACES)[keyof typeof PLACES];

const noting =
  ({ role, given }: Place): Act =>
  async (stage) => ({
    by: await stage.seatOf(role),
    input: { id: await given(stage), noteId: randomUUID(), text },
  });

const retracting =
  ({ role, permission, given, targetOf }: Place): Act =>
  async (stage) => {
    const by = await stage.seatOf(role);
    const note = { id: await given(stage), noteId: randomUUID() };
    await addNote(actorOf(role, by.staffId, permission), targetOf("aurora", note.id), { noteId: note.noteId, text });
    return { by, input: note };
  };

const removing =
  ({ role, permission, given, targetOf }: Place): Act =>
  async (stage) => {
    const by = await stage.seatOf(role);
    const file = { id: await given(stage), fileId: randomUUID() };
    const sent = { fileId: file.fileId, name: "contrato.pdf", bytes: Buffer.from("%PDF-1.7") };
    await addFile(actorOf(role, by.staffId, permission), targetOf("aurora", file.id), sent);
    return { by, input: { ...file, reason: "Veio o documento de outra pessoa" } };
  };

/** The ways in which what our people put to a record is written. */
export const CASEWORK_ACTS: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  "accounts.addAccountNote": { "a note on an account": noting(PLACES.accounts) },
  "accounts.removeAccountFile": { "removing a file of an account": removing(PLACES.accounts) },
  "accounts.retractAccountNote": { "taking a note on an account back": retracting(PLACES.accounts) },
  "kyc.addCaseNote": { "a note on a case": noting(PLACES.kyc) },
  "kyc.removeCaseFile": { "removing a file": removing(PLACES.kyc) },
  "kyc.retractCaseNote": { "taking a note back": retracting(PLACES.kyc) },
};
