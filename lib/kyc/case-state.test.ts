import { describe, expect, it } from "vitest";
import { caseState, type ProcessRecord } from "./case-state";

const BEFORE = new Date("2026-03-02T10:00:00Z");
const SENT = new Date("2026-03-02T11:00:00Z");
const AFTER = new Date("2026-03-02T12:00:00Z");

const check = (status: ProcessRecord["status"], changedAt = BEFORE): ProcessRecord => ({
  process: "kyc-backgroundcheck",
  status,
  changedAt,
});
const documents = (status: ProcessRecord["status"], changedAt = BEFORE): ProcessRecord => ({
  process: "kyc-documentscopy",
  status,
  changedAt,
});
const shown = (state: ReturnType<typeof caseState>) =>
  state && `${state.status} by ${state.process.replace("kyc-", "")}`;

const ordered = (records: readonly ProcessRecord[]) => shown(caseState({ records, isDocumentscopyOrdered: true }));
const decided = (records: readonly ProcessRecord[], isDocumentscopyOrdered = false) =>
  shown(caseState({ records, isDocumentscopyOrdered, decision: { decision: "APPROVED", sentAt: SENT } }));

describe("the state of a case", () => {
  it.each([
    ["nothing", [], null],
    ["a check under way", [check("PROCESSING")], "PROCESSING by backgroundcheck"],
    ["a check that waits", [check("PENDING")], "PENDING by backgroundcheck"],
    ["a check passed", [check("APPROVED")], "APPROVED by backgroundcheck"],
    ["both passed", [check("APPROVED"), documents("APPROVED")], "APPROVED by documentscopy"],
    ["documents under way", [check("APPROVED"), documents("PROCESSING")], "PROCESSING by documentscopy"],
    ["documents that wait", [check("APPROVED"), documents("PENDING")], "PENDING by documentscopy"],
    ["documents refused", [check("APPROVED"), documents("REPROVED")], "REPROVED by documentscopy"],
    ["a check refused, documents passed", [check("REPROVED"), documents("APPROVED")], "REPROVED by backgroundcheck"],
    ["a check refused, documents that wait", [check("REPROVED"), documents("PENDING")], "REPROVED by backgroundcheck"],
    ["a check that waits, documents passed", [check("PENDING"), documents("APPROVED")], "PENDING by backgroundcheck"],
    ["a word nobody knows", [check("APPROVED"), documents("unknown:ON_HOLD")], "unknown:ON_HOLD by documentscopy"],
    [
      "such a word, and under way",
      [check("unknown:ON_HOLD"), documents("PROCESSING")],
      "unknown:ON_HOLD by backgroundcheck",
    ],
    ["such a word, and one that waits", [check("unknown:ON_HOLD"), documents("PENDING")], "PENDING by documentscopy"],
  ] as const)("derives the state of a case from %s", (_, records, expected) => {
    expect(shown(caseState({ records }))).toBe(expected);
    expect(shown(caseState({ records: records.toReversed() }))).toBe(expected);
  });

  it("approves no case while a record for the requested documents is missing", () => {
    expect(ordered([check("APPROVED")])).toBe("PROCESSING by backgroundcheck");
    expect(ordered([check("REPROVED")])).toBe("REPROVED by backgroundcheck");
    expect(ordered([check("APPROVED"), documents("APPROVED")])).toBe("APPROVED by documentscopy");
  });

  it("follows our decision once a record shows it, whatever others said before", () => {
    expect(decided([check("REPROVED"), documents("APPROVED", AFTER)])).toBe("APPROVED by documentscopy");
    expect(decided([check("APPROVED", AFTER)], true)).toBe("APPROVED by backgroundcheck");
    expect(decided([check("REPROVED", AFTER), documents("APPROVED", AFTER)])).toBe("REPROVED by backgroundcheck");
    expect(decided([check("REPROVED"), documents("PENDING")])).toBe("REPROVED by backgroundcheck");
    expect(decided([check("APPROVED"), documents("PENDING")])).toBe("PENDING by documentscopy");
  });
});
