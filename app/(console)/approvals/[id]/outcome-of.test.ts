import { expect, test } from "vitest";
import { outcomeOf } from "./outcome-of";

test("of a proposal whose time ran out it is said whether nobody decided or its maker did not carry it out", () => {
  expect(outcomeOf("EXPIRED", null)).toBe("EXPIRED");
  expect(outcomeOf("EXPIRED", "Marcos Azevedo")).toBe("EXPIRED_READY");
});

test("a refusal is its decider's, or a rule's where nobody decided", () => {
  expect(outcomeOf("REFUSED", "Marcos Azevedo")).toBe("REFUSED");
  expect(outcomeOf("REFUSED", null)).toBe("REFUSED_BY_RULE");
});
