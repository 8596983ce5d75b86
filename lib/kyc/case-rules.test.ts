import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { caseRulesAt, CaseRulesForm, caseRulesOf, changeCaseRules, readCaseRules } from "./case-rules";
import { STANDARD_RULES } from "./standard-rules-view";

let db: Db;
let staffId = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  staffId = await givenStaff(db, "admin");
});

const admin = () => actorOf("admin", staffId, "settings:manage");
const form = (changes: Partial<CaseRulesForm> = {}): CaseRulesForm => ({ ...STANDARD_RULES, version: 0, ...changes });
const changing = (changes: Partial<CaseRulesForm>) =>
  db.transaction((tx) => changeCaseRules(tx, admin(), form(changes)));
const anyCase = { isRetired: false, process: null, kycType: null };
const reason = (text: string) => ({ code: null, decision: "REPROVED" as const, text, ...anyCase });

function problems(changes: Partial<CaseRulesForm>): string[] {
  const { error } = CaseRulesForm.safeParse(form(changes));
  return (error?.issues ?? []).map((issue) => {
    const { params } = issue.code === "custom" ? issue : {};
    return `${issue.path.join(".")} ${params?.["code"] ?? issue.code} ${params?.["word"] ?? ""}`.trim();
  });
}

describe("the rules of a tenant", () => {
  it("starts a tenant with the standard rules, which pass their own form", async () => {
    expect(problems({})).toEqual([]);
    await expect(readCaseRules(admin())).resolves.toEqual({
      version: 0,
      rules: STANDARD_RULES,
      history: [],
      proposed: null,
    });
  });

  it("applies new rules from the change on and keeps every version readable", async () => {
    await changing({ slaHours: { PF: 12, PJ: 48 } });
    await changing({ slaHours: { PF: 6, PJ: 48 }, dueSoonHours: 4, version: 1 });
    expect(await caseRulesOf(db, "aurora")).toMatchObject({ version: 2, rules: { slaHours: { PF: 6 } } });
    expect(await caseRulesAt(db, "aurora", 1)).toMatchObject({ slaHours: { PF: 12 }, dueSoonHours: 8 });
    expect(await caseRulesOf(db, "boreal")).toMatchObject({ version: 0 });
  });

  it("refuses to overwrite a colleague's change of the rules", async () => {
    await changing({ dueSoonHours: 4 });
    await expect(changing({ dueSoonHours: 2 })).rejects.toMatchObject({
      kind: "conflict",
      details: { code: "rules-changed" },
    });
    const both = await Promise.allSettled([
      changing({ dueSoonHours: 2, version: 1 }),
      changing({ dueSoonHours: 3, version: 1 }),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("records a changed scope even when the wording stays", async () => {
    const reasons = STANDARD_RULES.reasons.map((one) =>
      one.code === "data-matches" ? { ...one, kycType: "PF" as const } : one,
    );
    expect(problems({ reasons })).toEqual(["reasons one-of-each"]);
    await changing({
      checklist: {
        ...STANDARD_RULES.checklist,
        PF: STANDARD_RULES.checklist.PF.map((item) => ({ ...item, process: null })),
      },
    });
    const { history } = await readCaseRules(admin());
    expect(history[0]?.changes[0]).toEqual({
      part: "checklistPf",
      before: "Documento legível e dentro da validade",
      after: "Documento legível e dentro da validade",
      scope: {
        before: { process: "kyc-documentscopy", kycType: null },
        after: { process: null, kycType: null },
      },
    });
    const [row] = await db.select().from(auditEvent).where(eq(auditEvent.code, "settings.kyc-rules"));
    expect(row?.detail).toMatchObject({ texts: 0, scopes: 2 });
  });

  it("creates no version when rules are saved unchanged", async () => {
    await expect(changing({})).resolves.toMatchObject({ version: 0 });
    expect(await db.$count(auditEvent)).toBe(0);
  });

  it("audits the rules before and after a change, with the author", async () => {
    const reasons = [...STANDARD_RULES.reasons, reason("Endereço não confere.")];
    await changing({
      reasons,
      slaHours: { PF: 12, PJ: 48 },
      stoppedWords: [...STANDARD_RULES.stoppedWords, "delator"],
    });
    const [row] = await db.select().from(auditEvent).where(eq(auditEvent.code, "settings.kyc-rules"));
    expect(row).toMatchObject({ object: "kyc-rules:cases", outcome: "DONE", detail: { fromSlaPf: 24, toSlaPf: 12 } });
    const { history } = await readCaseRules(admin());
    expect(history).toMatchObject([{ version: 1, byName: "Ana Prado" }]);
    expect(history[0]?.changes).toEqual([
      { part: "slaPf", before: "24", after: "12" },
      { part: "refusalReason", before: null, after: "Endereço não confere." },
      { part: "stoppedWord", before: null, after: "delator" },
    ]);
  });
});

describe("a reason", () => {
  it("gives each reason a unique code that is never reused", async () => {
    await changing({ reasons: [...STANDARD_RULES.reasons, reason("Endereço não confere.")] });
    const known = "endereco-nao-confere";
    const other = "endereco-nao-confere-2";
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: known });
    await changing({ version: 1 });
    await changing({ reasons: [...STANDARD_RULES.reasons, reason("Endereço não confere!")], version: 2 });
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: other });
  });

  it("keeps a reason's code and outcome when reworded, moved or retired", async () => {
    const [first, ...others] = STANDARD_RULES.reasons;
    if (first === undefined) throw new Error("there is none");
    const reasons = [...others, { ...first, text: "Tudo confere.", isRetired: true }];
    await changing({ reasons });
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: first.code, isRetired: true });
    const turned = reasons.map((one) => ({ ...one, decision: "REPROVED" as const }));
    await expect(changing({ reasons: turned, version: 1 })).rejects.toMatchObject({ kind: "invalid" });
  });

  it("refuses a reason with an invented code", async () => {
    const reasons = [...STANDARD_RULES.reasons, { ...reason("Outra coisa."), code: "made-up" }];
    await expect(changing({ reasons })).rejects.toMatchObject({
      details: { issues: [{ path: ["reasons", STANDARD_RULES.reasons.length, "text"] }] },
    });
  });

  it("refuses a blocked term in a reason's text, unless retired", () => {
    const stopped = reason("Há suspeita de fraude.");
    const at = STANDARD_RULES.reasons.length;
    expect(problems({ reasons: [...STANDARD_RULES.reasons, stopped] })).toEqual([
      `reasons.${at}.text stopped-reason suspeita`,
    ]);
    expect(problems({ reasons: [...STANDARD_RULES.reasons, { ...stopped, isRetired: true }] })).toEqual([]);
  });

  it("lists a reason once for either outcome", () => {
    const none = STANDARD_RULES.reasons.map((one) => ({ ...one, isRetired: one.decision === "APPROVED" }));
    expect(problems({ reasons: none })).toEqual(["reasons one-of-each"]);
    const twice = [...STANDARD_RULES.reasons, reason("documento  ilegível ou INCOMPLETO.")];
    expect(problems({ reasons: twice })).toEqual([`reasons.${STANDARD_RULES.reasons.length}.text repeated`]);
  });
});

it("refuses an unfindable stop word and a deadline that is already due", () => {
  expect(problems({ stoppedWords: ["***"] })).toEqual(["stoppedWords.0 unfindable"]);
  expect(problems({ dueSoonHours: 30 })).toEqual(["dueSoonHours due-soon"]);
});
