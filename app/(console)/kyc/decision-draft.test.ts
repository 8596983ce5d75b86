import { describe, expect, it } from "vitest";
import type { DecisionTerms } from "@/lib/kyc/queries";
import { type Draft, draftUpon, emptyDraft, missingOf, sentTextOf } from "./use-deciding";

const row: DecisionTerms["row"] = {
  kycUUID: "7",
  vatNumber: "***.456.789-**",
  isPerhaps: false,
  reopened: null,
  putOff: null,
  escalation: null,
  contradiction: null,
  kycType: "PF",
  process: "kyc-documentscopy",
  status: "PENDING",
  firstSeenAt: "",
  changedAt: "",
  assignee: null,
  assignedAt: null,
  waitingSince: null,
  dueAt: null,
  decidedAt: null,
  tags: [],
  unconfirmed: null,
  pendingApproval: null,
  needsSecond: false,
  exposure: "unknown",
};

const terms: DecisionTerms = {
  row,
  isMine: true,
  rulesVersion: 3,
  reasons: [
    { code: "fine", decision: "APPROVED", text: "Documentos conferidos." },
    { code: "blurred", decision: "REPROVED", text: "Documento ilegível" },
  ],
  checklist: [
    { code: "valid", text: "Documento válido" },
    { code: "face", text: "Selfie confere" },
  ],
  stoppedWords: ["COAF"],
  reasonLimit: 500,
  lastDecision: null,
};

const draft = (changes: Partial<Draft>): Draft => ({ ...emptyDraft(null), ...changes });
const reproved = draft({ decision: "REPROVED", reasonCode: "blurred" });
const missing = (one: Draft) => missingOf(one, { ...terms, reasonLimit: 40 });

describe("a decision that somebody writes", () => {
  it("lists the missing outcome, reason and checklist in the order of the form", () => {
    expect(missing(draft({}))).toBe("decision");
    expect(missing(draft({ decision: "APPROVED" }))).toBe("reasonCode");
    expect(missing(draft({ decision: "APPROVED", reasonCode: "fine", confirmed: ["valid"] }))).toBe("checklist");
    expect(missing(draft({ decision: "APPROVED", reasonCode: "fine", confirmed: ["valid", "face"] }))).toBeNull();
  });

  it("needs no checklist for a rejection", () => {
    expect(missing(reproved)).toBeNull();
  });

  it("refuses a reason that belongs to the other outcome", () => {
    expect(missing({ ...reproved, decision: "APPROVED" })).toBe("reasonCode");
  });

  it("counts every character of a reason that is sent, not only those typed", () => {
    const { sentText } = sentTextOf({ ...reproved, addition: " Verso cortado. " }, terms);
    expect(sentText).toBe("Documento ilegível. Verso cortado.");
    expect(missing({ ...reproved, addition: "x".repeat(21) })).toBe("reason");
    expect(missing({ ...reproved, addition: "x".repeat(20) })).toBeNull();
  });

  it("blocks a term that would tip off the customer, even with dots", () => {
    expect(missing({ ...reproved, addition: "vai ao C.O.A.F." })).toBe("reason");
    expect(sentTextOf({ ...reproved, addition: "coaf" }, terms).stops).toEqual([{ word: "COAF", from: 20, to: 24 }]);
  });

  it("keeps outcome and reason when the case changes to another state", () => {
    const processing = { row: { ...row, status: "PROCESSING" as const } };
    const decided = { row: { ...row, status: "REPROVED" as const } };
    expect(draftUpon(reproved, processing)).toEqual(reproved);
    expect(draftUpon(reproved, decided)).toEqual({ ...reproved, decision: null });
  });

  it("allows any words in the internal note", () => {
    expect(missing({ ...reproved, note: "COAF avisado" })).toBeNull();
  });
});
