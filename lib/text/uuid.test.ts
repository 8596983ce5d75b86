import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newIntentId } from "@/lib/text/intent";
import { isUuid } from "./decode";

const ID = "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11";

describe("a reference in an address", () => {
  it("accepts a UUID in small letters or capitals", () => {
    for (const id of [randomUUID(), newIntentId(), randomUUID().toUpperCase()]) expect(isUuid(id)).toBe(true);
  });

  it.each(["", "-".repeat(36), `${ID}0`, `{${ID}}`, `${ID}\n`, ID.replaceAll("-", "")])(
    "refuses the reference %j",
    (odd) => expect(isUuid(odd)).toBe(false),
  );
});
