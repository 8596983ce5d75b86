import { describe, expect, it } from "vitest";
import { draftOf, isSame, isWhole, linesOf, moved, newItem, type Rules, rulesOf } from "./rules-draft";

const anyCase = { process: null, kycType: null };
const rules: Rules = {
  slaHours: { PF: 24, PJ: 48 },
  slaClock: "continuous",
  dueSoonHours: 8,
  openCasesMax: null,
  reasons: [
    { code: "fine", decision: "APPROVED", text: "Confere.", isRetired: false, ...anyCase },
    { code: "blurred", decision: "REPROVED", text: "Ilegível.", isRetired: false, ...anyCase },
    { code: "right", decision: "APPROVED", text: "Tudo certo.", isRetired: true, ...anyCase },
  ],
  checklist: { PF: [{ code: "valid", text: "Documento válido", process: "kyc-documentscopy" }], PJ: [] },
  stoppedWords: ["COAF", "operação atípica"],
};

const isApproval = ({ decision }: { decision: string }) => decision === "APPROVED";

describe("rules that somebody changes", () => {
  it("sends unchanged rules as they were", () => {
    expect(rulesOf(draftOf(rules))).toEqual(rules);
    expect(isSame(draftOf(rules), draftOf(rules))).toBe(true);
    expect(isWhole(draftOf(rules))).toBe(true);
  });

  it("asks for a missing text or hour", () => {
    const draft = draftOf(rules);
    expect(isWhole({ ...draft, checklist: { ...draft.checklist, PJ: [newItem()] } })).toBe(false);
    for (const slaPf of ["", "0", "2161", "1,5", "-3"]) expect(isWhole({ ...draft, slaPf })).toBe(false);
  });

  it("reads an empty number of open cases as no assignment by itself", () => {
    const draft = draftOf({ ...rules, openCasesMax: 25 });
    expect(rulesOf(draft).openCasesMax).toBe(25);
    expect(rulesOf({ ...draft, openCases: " " }).openCasesMax).toBeNull();
    for (const openCases of ["0", "501", "dez", "1,5"]) expect(isWhole({ ...draft, openCases })).toBe(false);
  });

  it("reads one term a line, whatever spaces surround it", () => {
    expect(linesOf(" COAF \n\n  operação atípica\n")).toEqual(["COAF", "operação atípica"]);
  });

  it("moves a reason only among those of its outcome", () => {
    const up = moved(draftOf(rules).reasons, { key: "right", by: -1 }, isApproval);
    expect(up.map(({ key }) => key)).toEqual(["right", "blurred", "fine"]);
    expect(moved(up, { key: "right", by: -1 }, isApproval)).toEqual(up);
  });
});
