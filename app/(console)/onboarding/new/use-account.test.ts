import { expect, it } from "vitest";
import { withTaken } from "./use-account";

it("keeps what was typed where an earlier attempt tells nothing", () => {
  const typed = { "person.fullName": "Ana Lima", "person.birthDate": "01/02/1990", "person.documentNumber": "" };
  const taken = { "person.documentNumber": "12345678909", "person.fullName": "", "person.birthDate": " " };
  expect(withTaken({ values: typed }, taken)).toEqual({ ...typed, "person.documentNumber": "12345678909" });
  expect(withTaken({ values: {} }, { email: "a@b.c" })).toEqual({ email: "a@b.c" });
});
