import { expect, test, vi } from "vitest";
import { normaliseDocument } from "@/lib/contract/fold";
import { isRole } from "@/lib/permission/permission";
import * as demo from "@/lib/staff/records";
import { KNOWN_TRADE } from "@/service/demo/demo";
import { KNOWN_HOLDER } from "@/service/demo/people";
import * as welcome from "./product.mjs";

test("prints the existing sign-ins: one per role and a second admin", () => {
  const roles = Object.keys(demo.DEMO_NAMES).filter(isRole);
  const emails = [...roles.map(demo.demoEmail), demo.DEMO_SECOND_ADMIN.email];
  expect(Object.keys(welcome.DEMO_STAFF).toSorted()).toEqual(emails.toSorted());
  expect(welcome.DEMO_PASSWORD).toBe(demo.DEMO_PASSWORD);
});

test("prints the account of the demo's known holder", () => {
  const { fullName, cpf } = welcome.KNOWN_HOLDER;
  expect({ fullName, documentNumber: normaliseDocument(cpf) }).toEqual(KNOWN_HOLDER);
});

test("prints the demo's OTC trade", () => {
  expect(welcome.KNOWN_TRADE).toBe(KNOWN_TRADE);
});

test("names no account without demo data", () => {
  const print = vi.spyOn(console, "log").mockReturnValue();
  const told = (hasDemoData: boolean) => {
    print.mockClear();
    welcome.welcome({ publicUrl: "http://localhost:3000", isEmbedded: true, hasDemoData }, 1_000);
    return print.mock.calls.join("\n").includes(welcome.KNOWN_HOLDER.cpf);
  };
  const both = [told(true), told(false)];
  print.mockRestore();
  expect(both).toEqual([true, false]);
});
