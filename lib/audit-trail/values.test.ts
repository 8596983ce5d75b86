import { describe, expect, it } from "vitest";
import { FAULT_KINDS } from "./verify";
import { SSO_REFUSALS } from "@/lib/auth/single-sign-on";
import { RETENTION_CLASS_NAMES, REVEAL_FIELDS } from "@/lib/privacy/view";
import { ASKED_BY, DEPOSIT_REASONS, PAID_VERDICTS, WITHDRAWAL_REASONS } from "@/lib/db/enums/deposits";
import { REVEAL_REASONS } from "@/lib/db/enums/privacy";
import { compareLists, valueWord } from "./view";

describe("a value on record", () => {
  it.each([
    ["fault", FAULT_KINDS],
    ["why", SSO_REFUSALS],
    ["reason", REVEAL_REASONS],
    ["reason", DEPOSIT_REASONS],
    ["reason", WITHDRAWAL_REASONS],
    ["field", REVEAL_FIELDS],
    ["class", RETENTION_CLASS_NAMES],
    ["asked", ASKED_BY],
    ["verdict", PAID_VERDICTS],
  ])("has words for every value of %s", (name, values) => {
    expect(values.filter((value) => valueWord(name, value) === null)).toEqual([]);
  });

  it("words an audit value by the list of its own detail", () => {
    expect(valueWord("reason", "idle")).toBe("ending.idle");
    expect(valueWord("reason", "fraud")).toBe("reveal.fraud");
    expect(valueWord("from", "PENDING")).toBe("status.PENDING");
    expect(valueWord(null, "disabled")).toBe("state.disabled");
  });

  it("shows unknown and free values as stored", () => {
    expect(valueWord("code", "insufficient_balance")).toBeNull();
    expect(valueWord("reason", "9f86d081884c7d65")).toBeNull();
    expect(valueWord("tag", "active")).toBeNull();
  });
});

describe("a list before and after", () => {
  it("says what a list lost, gained and kept", () => {
    expect(compareLists("support,finance", "finance,admin")).toEqual([
      { text: "support", fate: "gone" },
      { text: "finance", fate: "kept" },
      { text: "admin", fate: "new" },
    ]);
  });

  it("handles an empty list on either side", () => {
    expect(compareLists("", "support")).toEqual([{ text: "support", fate: "new" }]);
    expect(compareLists("support", null)).toEqual([{ text: "support", fate: "gone" }]);
  });
});
