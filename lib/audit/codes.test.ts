import { expect, it } from "vitest";
import { permissionsOf, ROLES } from "@/lib/permission/permission";
import en from "@/messages/en.json";
import ptBR from "@/messages/pt-BR.json";
import { AUDIT_CODES, refusalCode } from "./codes";

const namesIn = ({ audit }: typeof ptBR): string[] =>
  Object.entries(audit.codes).flatMap(([area, verbs]) =>
    Object.entries(verbs).flatMap(([verb, name]) => (name.trim() === "" ? [] : [`${area}.${verb}`])),
  );

it("names every audit code in Portuguese and English, with no name left over", () => {
  const codes = [...AUDIT_CODES].toSorted();
  expect(namesIn(ptBR).toSorted()).toEqual(codes);
  expect(namesIn(en).toSorted()).toEqual(codes);
});

it("lists each code once, as an area and a verb", () => {
  expect(AUDIT_CODES.filter((code) => !/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
  expect(new Set(AUDIT_CODES).size).toBe(AUDIT_CODES.length);
});

it("has a code for the refusal of every permission", () => {
  expect(permissionsOf(ROLES).map((permission) => refusalCode(permission))).toHaveLength(permissionsOf(ROLES).length);
});
