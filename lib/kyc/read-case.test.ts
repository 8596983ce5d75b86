import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "@/lib/permission/permission";
import { addNote } from "@/lib/notes/note";
import { maskDocument } from "@/lib/contract/document";
import { givenAccount, givenOnboarding } from "@/test/support/privacy";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { readCase } from "./read-case";
import { caseTarget } from "./notes";
import { maskName } from "@/lib/text/masks";
import { givenCase, givenStarted } from "@/test/support/kyc";

const CPF = "52998224725";
/** Another person's document with the same mask. */
const ALIKE = "11198224703";
const vatNumber = maskDocument(CPF);

let db: Db;
let ana = "";
let kycUUID = "";
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  kycUUID = await givenCase(db, { vatNumber });
});

const readAs = (role: Role) => readCase(actorOf(role, ana, "kyc:read"), kycUUID);
const related = async () => (await readAs("compliance"))?.related;

describe("a case", () => {
  it("shows a case's start form, masked", async () => {
    await givenStarted(db, ana, { kycUUID, document: CPF });
    const found = await readAs("compliance");
    expect(found?.start).toMatchObject({
      model: "COMPLETE",
      byName: "Ana Prado",
      subject: { document: vatNumber, name: "M••• d••• S•••", birthYear: "1984", motherName: "J••• L•••" },
    });
    expect(JSON.stringify(found)).not.toMatch(/Maria|Josefa|52998224725|529\.982/);
  });

  it("audits a look at a case", async () => {
    await readAs("support");
    expect(await db.select().from(auditEvent)).toMatchObject([{ code: "customer.view", object: `kyc:${kycUUID}` }]);
  });

  it("shows team notes to deciders, approvers and auditors, and a count to others", async () => {
    const writer = actorOf("compliance", ana, "kyc:note");
    await addNote(writer, caseTarget("aurora", kycUUID), { noteId: randomUUID(), text: "Pediu pressa" });
    for (const role of ["compliance", "approver", "auditor", "admin"] as const) {
      expect((await readAs(role))?.casework).toMatchObject({ isReadable: true, notes: [{ text: "Pediu pressa" }] });
    }
    for (const role of ["support", "finance"] as const) {
      const found = await readAs(role);
      expect(found?.casework).toEqual({ isReadable: false, notes: 1, files: 0 });
      expect(JSON.stringify(found)).not.toContain("pressa");
    }
  });
});

describe("what else there is of the same person", () => {
  it("calls equal documents certain and leaves out other people", async () => {
    await givenStarted(db, ana, { kycUUID, document: CPF });
    const again = await givenCase(db, { vatNumber });
    await givenStarted(db, ana, { kycUUID: again, document: CPF });
    const others = await givenCase(db, { vatNumber });
    await givenStarted(db, ana, { kycUUID: others, document: ALIKE });
    const perhaps = await givenCase(db, { vatNumber });
    const onboarding = await givenOnboarding(db, CPF);
    const account = await givenAccount(db, CPF);
    await givenOnboarding(db, ALIKE);
    await givenAccount(db, CPF, "boreal");
    expect(await related()).toMatchObject({
      cases: [
        { kycUUID: again, isSure: true },
        { kycUUID: perhaps, isSure: false },
      ],
      onboardings: [{ id: onboarding, isSure: true, document: vatNumber }],
      accounts: [{ ref: account, isSure: true }],
    });
  });

  it("calls a case known from the provider alone only possible", async () => {
    const other = await givenCase(db, { vatNumber });
    await givenCase(db, { vatNumber: "***.000.000-**" });
    const one = await givenOnboarding(db, CPF);
    const alike = await givenOnboarding(db, ALIKE);
    const found = await related();
    expect(found?.cases).toMatchObject([{ kycUUID: other, isSure: false }]);
    expect(found?.onboardings.map(({ id }) => id).toSorted()).toEqual([one, alike].toSorted());
    expect(found?.onboardings.every(({ isSure }) => !isSure)).toBe(true);
  });
});

it("shows first letters for names of any length", () => {
  expect(maskName("  Élia  de Sá ")).toBe("É••• d••• S•••");
  expect(maskName("𝒜na")).toBe("𝒜•••");
});
