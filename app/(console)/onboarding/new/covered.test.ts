import { describe, expect, it } from "vitest";
import { coveredAddress, coveredDate, coveredDocument, coveredEmail, coveredName, coveredPhone } from "./review-step";

describe("what the review of a form shows of a person", () => {
  it("is enough to tell whether it is the right one, and not enough to know them by", () => {
    expect(coveredDocument("529.982.247-25")).toBe("***.982.247-**");
    expect(coveredDocument("12.ABC.345/01DE-35")).toBe("**.ABC.345/01DE-**");
    expect(coveredName("  Maria dos Santos ")).toBe("M••• d••• S•••");
    expect(coveredDate("07/09/1984")).toBe("••/••/1984");
    expect(coveredPhone("(11) 99999-0042")).toBe("•••• 0042");
    expect(coveredEmail("ana.prado@example.com")).toBe("a•••@example.com");
    expect(coveredAddress("01310-100", "São Paulo", "SP")).toBe("01•••-••• · São Paulo · SP");
  });

  it("shows nothing of what is no document", () => {
    expect(coveredDocument("529982")).toBe("•••");
  });
});
