import { expect, it } from "vitest";
import { STATES } from "@/lib/onboarding/view";
import { stateOfPostalCode } from "./postal-code";

it.each([
  ["01310-100", "SP"],
  ["20.040-002", "RJ"],
  [" 69301 000", "RR"],
  ["69400000", "AM"],
  ["72800-000", "GO"],
  ["73015-000", "DF"],
  ["７０００２-９００", "DF"],
  ["01310-10", null],
  ["00999-000", null],
  ["SW1A 1AA", null],
])("knows the state of %s", (typed, state) => expect(stateOfPostalCode(typed)).toBe(state));

it("has a range for each state, and none for two", () => {
  const told = Array.from({ length: 99_000 }, (_, nth) => stateOfPostalCode(`${nth + 1_000}000`.padStart(8, "0")));
  expect(new Set(told.filter((state) => state !== null))).toEqual(new Set(STATES));
  const changes = told.filter((state, nth) => nth > 0 && state !== told[nth - 1]);
  expect(changes.length).toBeLessThan(35);
});
