import { and, desc, eq, sql } from "drizzle-orm";
import { cache } from "react";
import { z } from "zod";
import { afterBusinessHours } from "@/lib/calendar/business-hours";
import type { BusinessCalendar } from "@/lib/calendar/view";
import { readPendingApprovals } from "@/lib/approvals/records";
import { changePair } from "@/lib/audit/change-pair";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { KYC_DECISIONS, KYC_PROCESSES, KYC_TYPES, type KycType } from "@/lib/contract/kyc";
import { CaseRules, Code, type Item, type Reason, type RULE_PARTS } from "@/lib/db/enums/case-rules";
import type { SlaClock } from "@/lib/db/enums/kyc";
import { publish } from "@/lib/db/publish";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { canBeStopped, stopsIn } from "@/lib/text/tipping-off";
import { kycCaseRules } from "@/lib/db/tables/kyc";
import { STANDARD_RULES } from "./standard-rules-view";

export type RulesInForce = { version: number; rules: CaseRules };

/** Read once while a page is rendered. */
export const caseRulesOf = cache(async (store: Db | Tx, tenant: string): Promise<RulesInForce> => {
  const { version, rules } = kycCaseRules;
  const [latest] = await store
    .select({ version, rules })
    .from(kycCaseRules)
    .where(eq(kycCaseRules.tenant, tenant))
    .orderBy(desc(version))
    .limit(1);
  if (latest === undefined) return { version: 0, rules: STANDARD_RULES };
  return { version: latest.version, rules: CaseRules.parse(latest.rules) };
});

export async function caseRulesAt(store: Db | Tx, tenant: string, version: number): Promise<CaseRules | null> {
  if (version === 0) return STANDARD_RULES;
  const [row] = await store
    .select({ rules: kycCaseRules.rules })
    .from(kycCaseRules)
    .where(and(eq(kycCaseRules.tenant, tenant), eq(kycCaseRules.version, version)));
  return row === undefined ? null : CaseRules.parse(row.rules);
}

type CaseKind = { kycType: string; process: string };

/** Unknown types have a person's deadlines. */
const typeOf = ({ kycType }: Pick<CaseKind, "kycType">) => (kycType === "PJ" ? "PJ" : "PF");
const isAbout = (process: string | null, kind: CaseKind) => process === null || process === kind.process;

export const checklistOf = ({ checklist }: Pick<CaseRules, "checklist">, kind: CaseKind): Item[] =>
  checklist[typeOf(kind)].filter(({ process }) => isAbout(process, kind));

export const reasonsOf = <Given extends Pick<Reason, "isRetired" | "process" | "kycType">>(
  reasons: readonly Given[],
  kind: CaseKind,
): Given[] =>
  reasons.filter(
    ({ isRetired, process, kycType }) =>
      !isRetired && isAbout(process, kind) && (kycType === null || kycType === typeOf(kind)),
  );

export type RulesAndCalendar = { rules: Pick<CaseRules, "slaHours" | "slaClock">; calendar: BusinessCalendar };

/** When a case that waits since this instant is due, and after how many hours of work; null: hours of the clock. */
export function deadlineOf({ rules, calendar }: RulesAndCalendar, kycType: KycType, waitingSince: Date) {
  const slaHours = rules.slaHours[typeOf({ kycType })];
  return rules.slaClock === "business"
    ? { dueAt: afterBusinessHours(calendar, waitingSince, slaHours), businessHours: slaHours }
    : { dueAt: new Date(waitingSince.getTime() + slaHours * 3_600_000), businessHours: null };
}

const slaClockOf = ({ slaClock = "continuous" }: Pick<CaseRules, "slaClock">) => slaClock;

/** The changes of one version of the rules; null stands for nothing. */
export type RulesChange = {
  part: (typeof RULE_PARTS)[number] | "order";
  before: string | null;
  after: string | null;
  scope?: { before: Scope; after: Scope };
};

type Scope = Pick<Reason, "process" | "kycType">;
type ComparedItem = { code: string; text: string } & Partial<Scope>;
type Part = RulesChange["part"];

const byCode = (items: readonly ComparedItem[]) => new Map(items.map((item) => [item.code, item]));
const scopeOf = ({ process = null, kycType = null }: ComparedItem): Scope => ({ process, kycType });

function changeOf(part: Part, was: ComparedItem | undefined, is: ComparedItem | undefined): RulesChange[] {
  const change = { part, before: was?.text ?? null, after: is?.text ?? null };
  if (was === undefined || is === undefined) return [change];
  const scope = { before: scopeOf(was), after: scopeOf(is) };
  if (scope.before.process !== scope.after.process || scope.before.kycType !== scope.after.kycType)
    return [{ ...change, scope }];
  return change.before === change.after ? [] : [change];
}

function itemChanges(part: Part, before: readonly ComparedItem[], after: readonly ComparedItem[]): RulesChange[] {
  const was = byCode(before);
  const is = byCode(after);
  const codes = [...new Set([...was.keys(), ...is.keys()])];
  return codes.flatMap((code) => changeOf(part, was.get(code), is.get(code)));
}

const said = (number: number | null) => (number === null ? null : String(number));

const changeOfNumber = (part: Part, before: number | null, after: number | null): RulesChange[] =>
  before === after ? [] : [{ part, before: said(before), after: said(after) }];

const clocks = (before: SlaClock, after: SlaClock): RulesChange[] =>
  before === after ? [] : [{ part: "slaClock", before, after }];

const inUse = ({ reasons }: CaseRules, decision: "APPROVED" | "REPROVED") =>
  reasons.filter((reason) => reason.decision === decision && !reason.isRetired);

const wordItems = ({ stoppedWords }: CaseRules) => stoppedWords.map((word) => ({ code: word, text: word }));

const LISTS = [
  ["approvalReason", (rules) => inUse(rules, "APPROVED")],
  ["refusalReason", (rules) => inUse(rules, "REPROVED")],
  ["checklistPf", ({ checklist }) => checklist.PF],
  ["checklistPj", ({ checklist }) => checklist.PJ],
  ["stoppedWord", wordItems],
] as const satisfies [Part, (rules: CaseRules) => readonly ComparedItem[]][];

const codesIn = (items: readonly ComparedItem[]) => items.map(({ code }) => code).join(", ");

function changesBetween(before: CaseRules, after: CaseRules): RulesChange[] {
  const lists = LISTS.flatMap(([part, itemsOf]) => itemChanges(part, itemsOf(before), itemsOf(after)));
  const found = [
    ...changeOfNumber("slaPf", before.slaHours.PF, after.slaHours.PF),
    ...changeOfNumber("slaPj", before.slaHours.PJ, after.slaHours.PJ),
    ...clocks(slaClockOf(before), slaClockOf(after)),
    ...changeOfNumber("dueSoon", before.dueSoonHours, after.dueSoonHours),
    ...changeOfNumber("sharing", before.openCasesMax, after.openCasesMax),
    ...lists,
  ];
  const isMoved = LISTS.some(([, itemsOf]) => codesIn(itemsOf(before)) !== codesIn(itemsOf(after)));
  return found.length === 0 && isMoved ? [{ part: "order", before: null, after: null }] : found;
}

const GUARDS: readonly Part[] = ["checklistPf", "checklistPj", "stoppedWord"];

export const loosensRules = (changes: readonly RulesChange[]): boolean =>
  changes.some(({ part, before }) => GUARDS.includes(part) && before !== null);

/** For the audit record; the texts are stored with the version. */
function detailOf(before: CaseRules, after: CaseRules): Record<string, string | number | null> {
  const numbers = [
    ["slaPf", before.slaHours.PF, after.slaHours.PF],
    ["slaPj", before.slaHours.PJ, after.slaHours.PJ],
    ["slaClock", slaClockOf(before), slaClockOf(after)],
    ["dueSoon", before.dueSoonHours, after.dueSoonHours],
    ["sharing", before.openCasesMax, after.openCasesMax],
  ] as const;
  const lists = LISTS.map(([part, itemsOf]) => [part, codesIn(itemsOf(before)), codesIn(itemsOf(after))] as const);
  const pairs = [...numbers, ...lists]
    .filter(([, was, is]) => was !== is)
    .flatMap(([part, was, is]) => changePair<string | number | null>(part, was, is));
  const changed = changesBetween(before, after).filter(({ part }) => !/^(sla|due|sharing)/.test(part));
  const reworded = changed.filter((one) => one.before !== null && one.after !== null && one.before !== one.after);
  const scopes = changed.filter(({ scope }) => scope !== undefined).length;
  return { ...Object.fromEntries(pairs), texts: reworded.length, ...(scopes > 0 && { scopes }) };
}

const codesOf = ({ reasons, checklist }: CaseRules) =>
  [...reasons, ...checklist.PF, ...checklist.PJ].map(({ code }) => code);

/** Every code ever used at the tenant, as none may change its meaning. */
async function takenCodes(tx: Tx, tenant: string): Promise<Set<string>> {
  const rows = await tx.select({ rules: kycCaseRules.rules }).from(kycCaseRules).where(eq(kycCaseRules.tenant, tenant));
  return new Set([STANDARD_RULES, ...rows.map(({ rules }) => CaseRules.parse(rules))].flatMap(codesOf));
}

const LONGEST_CODE = 40;

/** `Documento ilegível` becomes `documento-ilegivel`. */
function codeFrom(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, LONGEST_CODE);
  return words.replaceAll(/^-|-$/g, "") || "item";
}

function newCode(text: string, taken: Set<string>): string {
  const code = codeFrom(text);
  let free = code;
  for (let n = 2; taken.has(free); n += 1) free = `${code}-${n}`;
  taken.add(free);
  return free;
}

type NamedItem = { code: string | null; text: string };

const withCodes = <Given extends NamedItem>(items: readonly Given[], taken: Set<string>) =>
  items.map((item) => ({ ...item, code: item.code ?? newCode(item.text, taken) }));

function refuseForeignCodes(before: CaseRules, form: CaseRulesForm): void {
  const wrong = form.reasons.flatMap(({ code, decision }, n) => {
    const known = before.reasons.find((reason) => reason.code === code);
    return code === null || known?.decision === decision ? [] : [["reasons", n, "text"]];
  });
  const items = (["PF", "PJ"] as const).flatMap((kind) =>
    form.checklist[kind].flatMap(({ code }, n) =>
      code === null || before.checklist[kind].some((item) => item.code === code)
        ? []
        : [["checklist", kind, n, "text"]],
    ),
  );
  const issues = [...wrong, ...items].map((path) => ({ path, params: { code: "reason-code" } }));
  if (issues.length > 0) throw new AppError("invalid", { issues });
}

export const CASE_RULES = "kyc-rules:cases";

/** The rules that this form would create. Throws conflict `rules-changed`, and invalid with the fields. */
export async function rulesFrom(tx: Tx, tenant: string, form: CaseRulesForm) {
  const { version: latest, rules: before } = await caseRulesOf(tx, tenant);
  const { version: seen, ...given } = form;
  if (seen !== latest) throw new AppError("conflict", { code: "rules-changed" });
  refuseForeignCodes(before, form);
  const taken = await takenCodes(tx, tenant);
  const after: CaseRules = {
    ...given,
    reasons: withCodes(given.reasons, taken),
    checklist: { PF: withCodes(given.checklist.PF, taken), PJ: withCodes(given.checklist.PJ, taken) },
  };
  return { latest, before, after, changes: changesBetween(before, after) };
}

export async function changeCaseRules(
  tx: Tx,
  { tenant, id: staffId }: Actor<"settings:manage">,
  form: CaseRulesForm,
): Promise<RulesInForce> {
  await holdLock(tx, `${tenant} kyc rules`);
  const { latest, before, after: rules, changes } = await rulesFrom(tx, tenant, form);
  if (changes.length === 0) return { version: latest, rules: before };
  const version = latest + 1;
  await tx.insert(kycCaseRules).values({ tenant, version, rules, staffId, createdAt: sql`clock_timestamp()` });
  await publish(tx, { tenant, topic: "kyc" });
  const detail = { version, loosens: loosensRules(changes), ...detailOf(before, rules) };
  const what = { code: "settings.kyc-rules", object: CASE_RULES, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "DONE", ...what });
  return { version, rules };
}

/** Without a code it is new, and gets one when stored. */
const MaybeCoded = { code: Code.nullable() };
const { reasons, checklist, ...others } = CaseRules.shape;
const FormItem = checklist.shape.PF.element.extend(MaybeCoded);

type Wrong = { path: PropertyKey[]; code: string; word?: string };

const twiceAmong = (texts: readonly string[]): number[] => {
  const read = texts.map((text) => text.toLowerCase().replaceAll(/\s+/g, " "));
  return read.flatMap((text, n) => (read.indexOf(text) < n ? [n] : []));
};

type Form = z.output<typeof Shape>;
const Shape = z.strictObject({
  ...others,
  reasons: z.array(reasons.element.extend(MaybeCoded)).min(2).max(60),
  checklist: z.object({ PF: z.array(FormItem).max(20), PJ: z.array(FormItem).max(20) }),
  version: z.int().min(0),
});

function wrongReasons(form: Form): Wrong[] {
  const stopped = form.reasons.flatMap(({ text, isRetired }, n): Wrong[] => {
    const [stop] = isRetired ? [] : stopsIn(text, form.stoppedWords);
    return stop === undefined ? [] : [{ path: ["reasons", n, "text"], code: "stopped-reason", word: stop.word }];
  });
  const texts = form.reasons.map(({ decision, text }) => `${decision} ${text}`);
  const repeated = twiceAmong(texts).map((n): Wrong => ({ path: ["reasons", n, "text"], code: "repeated" }));
  const kinds = KYC_PROCESSES.flatMap((process) => KYC_TYPES.map((kycType) => ({ process, kycType })));
  const isWhole = kinds.every((kind) => {
    const given = reasonsOf(form.reasons, kind);
    return KYC_DECISIONS.every((decision) => given.some((one) => one.decision === decision));
  });
  const missing: Wrong[] = isWhole ? [] : [{ path: ["reasons"], code: "one-of-each" }];
  return [...stopped, ...repeated, ...missing];
}

function wrongIn(form: Form): Wrong[] {
  const unfindable = form.stoppedWords.flatMap((word, n): Wrong[] =>
    canBeStopped(word) ? [] : [{ path: ["stoppedWords", n], code: "unfindable" }],
  );
  const items = (["PF", "PJ"] as const).flatMap((kind) =>
    twiceAmong(form.checklist[kind].map(({ text }) => text)).map((n): Wrong => ({
      path: ["checklist", kind, n, "text"],
      code: "repeated",
    })),
  );
  const words = twiceAmong(form.stoppedWords).map((n): Wrong => ({ path: ["stoppedWords", n], code: "repeated" }));
  const longest = Math.min(form.slaHours.PF, form.slaHours.PJ);
  const late: Wrong[] = form.dueSoonHours > longest ? [{ path: ["dueSoonHours"], code: "due-soon" }] : [];
  return [...wrongReasons(form), ...unfindable, ...items, ...words, ...late];
}

function refine(form: Form, context: z.RefinementCtx): void {
  for (const { path, ...params } of wrongIn(form)) context.addIssue({ code: "custom", path, params, input: form });
}

export const CaseRulesForm = Shape.superRefine(refine);
export type CaseRulesForm = z.output<typeof CaseRulesForm>;

export const CaseRulesOrder = Shape.extend({ intentId: z.uuid() }).superRefine(refine);
export type CaseRulesOrder = z.output<typeof CaseRulesOrder>;

export type RulesStep = { version: number; byName: string; at: string; changes: RulesChange[] };

export type RulesView = {
  version: number;
  rules: CaseRules;
  history: RulesStep[];
  /** A proposed loosening that waits for another administrator. */
  proposed: { id: string; byName: string; at: string } | null;
};

const MAX_STEPS = 20;

const rulesIn = (row: Pick<typeof kycCaseRules.$inferSelect, "rules"> | undefined): CaseRules =>
  row === undefined ? STANDARD_RULES : CaseRules.parse(row.rules);

export async function readCaseRules({ tenant }: Actor<"settings:manage">): Promise<RulesView> {
  const store = await db();
  const { version, rules } = await caseRulesOf(store, tenant);
  const rows = await store
    .select({ row: kycCaseRules, byName: staff.name })
    .from(kycCaseRules)
    .innerJoin(staff, eq(staff.id, kycCaseRules.staffId))
    .where(eq(kycCaseRules.tenant, tenant))
    .orderBy(desc(kycCaseRules.version))
    .limit(MAX_STEPS + 1);
  const history = rows.slice(0, MAX_STEPS).map(({ row, byName }, n) => ({
    version: row.version,
    byName,
    at: row.createdAt.toISOString(),
    changes: changesBetween(rulesIn(rows[n + 1]?.row), rulesIn(row)),
  }));
  const pending = await readPendingApprovals(store, { tenant, kind: "kyc.rules" }, [CASE_RULES]);
  const waits = pending.get(CASE_RULES);
  const proposed = waits === undefined ? null : { id: waits.approvalId, byName: waits.makerName, at: waits.at };
  return { version, rules, history, proposed };
}
