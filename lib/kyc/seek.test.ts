import { expect, it } from "vitest";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { seekCase } from "./seek";

it("finds a tag or an id's beginning, and no person by name", async () => {
  givenEnv();
  const db = await givenStore();
  const me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  const kycUUID = await givenCase(db, { kycUUID: "abcdef00-0000-4000-8000-000000000000", tags: ["filial sul"] });
  for (const query of ["Filial Sul", "abcdef"])
    expect(await seekCase(me, { query })).toEqual({ kycUUID, by: "search" });
  expect(await seekCase(me, { query: "Ana Prado" })).toEqual({ kycUUID: null, by: "search" });
});

it.each([
  ["417.205.638-53 987.123.456-28", "several"],
  ["417.205.638-53 e 417.205.638-54", "several"],
  ["41720563854", "mistyped"],
  ["417.205.638-54", "mistyped"],
  ["CPF 417.205.638-54 da Ana", "mistyped"],
  ["11222333000182", "mistyped"],
  ["417.205.638-53", "document"],
  ["1234567890", "document"],
  ["***.205.638-**", "mask"],
  ["4172056385398712345628", "several"],
  ["4172056385441720563854", "mistyped"],
  ["417205638534172056385341720563853", "mask"],
  ["filial norte", "search"],
])("says why it found no case: %s", async (query, by) => {
  givenEnv();
  const db = await givenStore();
  const me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  expect(await seekCase(me, { query })).toMatchObject({ kycUUID: null, by });
});
