import { expect, it } from "vitest";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { seekCase } from "./seek";
import { isWords } from "./view";

it.each(["Ana Prado", "José d’Ávila", "Conceição", "M. Lima"])(
  "sends words to the server before the URL: %s",
  (typed) => expect(isWords(typed)).toBe(true),
);

it.each(["3f2a", "982.2", "filial 2"])("sends text that is no name by URL: %s", (typed) =>
  expect(isWords(typed)).toBe(false),
);

it("finds a tag or an id's beginning, and no person by name", async () => {
  givenEnv();
  const db = await givenStore();
  const me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  const kycUUID = await givenCase(db, { kycUUID: "abcdef00-0000-4000-8000-000000000000", tags: ["filial sul"] });
  for (const query of ["Filial Sul", "abcdef"])
    expect(await seekCase(me, { query })).toEqual({ kycUUID, by: "search" });
  expect(await seekCase(me, { query: "Ana Prado" })).toEqual({ kycUUID: null, by: "search" });
});
