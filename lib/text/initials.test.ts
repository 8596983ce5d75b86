import { expect, it } from "vitest";
import { initialsOf } from "./initials";

it("takes the first letters of the first and the last name", () => {
  expect(initialsOf("Rafael Tavares")).toBe("RT");
  expect(initialsOf("  élia de Sá ")).toBe("ÉS");
  expect(initialsOf("Ana")).toBe("A");
  expect(initialsOf("𝒜na 🦊")).toBe("𝒜🦊");
  expect(initialsOf(" ")).toBe("");
});
