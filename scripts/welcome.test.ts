import { expect, test } from "vitest";
import { normaliseDocument } from "@/lib/contract/document";
import { isRole } from "@/lib/auth/permission";
import * as demo from "@/lib/staff/demo";
import { KNOWN_HOLDER } from "@/service/demo/known";
import * as welcome from "./welcome.mjs";

test("the sign-ins that are printed are those that exist, one per role", () => {
  const roles = Object.keys(demo.DEMO_NAMES).filter(isRole);
  expect(Object.keys(welcome.DEMO_STAFF).toSorted()).toEqual(roles.map(demo.demoEmail).toSorted());
  expect(welcome.DEMO_PASSWORD).toBe(demo.DEMO_PASSWORD);
});

test("the account that is printed belongs to the demo's known holder", () => {
  const { fullName, cpf } = welcome.KNOWN_HOLDER;
  expect({ fullName, documentNumber: normaliseDocument(cpf) }).toEqual(KNOWN_HOLDER);
});
