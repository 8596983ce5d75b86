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
  it("are the standard ones, which fit their own form, until somebody changes them", async () => {
    expect(problems({})).toEqual([]);
    await expect(readCaseRules(admin())).resolves.toEqual({
      version: 0,
      rules: STANDARD_RULES,
      history: [],
      proposed: null,
    });
  });

  it("hold from the change on, version by version, and each version can be read again", async () => {
    await changing({ slaHours: { PF: 12, PJ: 48 } });
    await changing({ slaHours: { PF: 6, PJ: 48 }, dueSoonHours: 4, version: 1 });
    expect(await caseRulesOf(db, "aurora")).toMatchObject({ version: 2, rules: { slaHours: { PF: 6 } } });
    expect(await caseRulesAt(db, "aurora", 1)).toMatchObject({ slaHours: { PF: 12 }, dueSoonHours: 8 });
    expect(await caseRulesOf(db, "boreal")).toMatchObject({ version: 0 });
  });

  it("are not changed over somebody else's change", async () => {
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

  it("show a change of scope in the history though the words stay the same", async () => {
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

  it("that are saved as they are make no version", async () => {
    await expect(changing({})).resolves.toMatchObject({ version: 0 });
    expect(await db.$count(auditEvent)).toBe(0);
  });

  it("are on record before and after, and shown with who changed what", async () => {
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
  it("is given a code of its own, which no other ever gets", async () => {
    await changing({ reasons: [...STANDARD_RULES.reasons, reason("Endereço não confere.")] });
    const known = "endereco-nao-confere";
    const other = "endereco-nao-confere-2";
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: known });
    await changing({ version: 1 });
    await changing({ reasons: [...STANDARD_RULES.reasons, reason("Endereço não confere!")], version: 2 });
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: other });
  });

  it("keeps its code and its outcome when it is reworded, moved or retired", async () => {
    const [first, ...others] = STANDARD_RULES.reasons;
    if (first === undefined) throw new Error("there is none");
    const reasons = [...others, { ...first, text: "Tudo confere.", isRetired: true }];
    await changing({ reasons });
    expect((await caseRulesOf(db, "aurora")).rules.reasons.at(-1)).toMatchObject({ code: first.code, isRetired: true });
    const turned = reasons.map((one) => ({ ...one, decision: "REPROVED" as const }));
    await expect(changing({ reasons: turned, version: 1 })).rejects.toMatchObject({ kind: "invalid" });
  });

  it("does not come in under a code that somebody made up", async () => {
    const reasons = [...STANDARD_RULES.reasons, { ...reason("Outra coisa."), code: "made-up" }];
    await expect(changing({ reasons })).rejects.toMatchObject({
      details: { issues: [{ path: ["reasons", STANDARD_RULES.reasons.length, "text"] }] },
    });
  });

  it("with a word that is stopped is refused at its text, unless it is retired", () => {
    const stopped = reason("Há suspeita de fraude.");
    const at = STANDARD_RULES.reasons.length;
    expect(problems({ reasons: [...STANDARD_RULES.reasons, stopped] })).toEqual([
      `reasons.${at}.text stopped-reason suspeita`,
    ]);
    expect(problems({ reasons: [...STANDARD_RULES.reasons, { ...stopped, isRetired: true }] })).toEqual([]);
  });

  it("is there for either outcome, and once", () => {
    const none = STANDARD_RULES.reasons.map((one) => ({ ...one, isRetired: one.decision === "APPROVED" }));
    expect(problems({ reasons: none })).toEqual(["reasons one-of-each"]);
    const twice = [...STANDARD_RULES.reasons, reason("documento  ilegível ou INCOMPLETO.")];
    expect(problems({ reasons: twice })).toEqual([`reasons.${STANDARD_RULES.reasons.length}.text repeated`]);
  });
});

it("refuses an unfindable stop word, and a term that is due from its start", () => {
  expect(problems({ stoppedWords: ["***"] })).toEqual(["stoppedWords.0 unfindable"]);
  expect(problems({ dueSoonHours: 30 })).toEqual(["dueSoonHours due-soon"]);
});
