import { describe, expect, it } from "vitest";
import { known } from "@/lib/contract/shared";
import { isUnknown, rawWord } from "./provider-word";

describe("a word that the interface does not list", () => {
  const Status = known(["ACTIVE"]);

  it("tells an unknown word from listed ones and shows it as written", () => {
    const later = Status.parse("frozen:by court");
    expect(isUnknown(later) && rawWord(later)).toBe("frozen:by court");
    expect(isUnknown(Status.parse("ACTIVE"))).toBe(false);
  });
});
