import type { CaseRules, Reason } from "./case-rules";

/** What one version of the rules has otherwise than the one before it; null stands for nothing. */
export type RulesChange = {
  part:
    | "slaPf"
    | "slaPj"
    | "dueSoon"
    | "approvalReason"
    | "refusalReason"
    | "checklistPf"
    | "checklistPj"
    | "stoppedWord"
    | "order";
  before: string | null;
  after: string | null;
  /** What cases it is about, where that changed. */
  scope?: { before: Scope; after: Scope };
};

/** null: any. */
type Scope = Pick<Reason, "process" | "kycType">;
type Item = { code: string; text: string } & Partial<Scope>;
type Part = RulesChange["part"];

const byCode = (items: readonly Item[]) => new Map(items.map((item) => [item.code, item]));
const scopeOf = ({ process = null, kycType = null }: Item): Scope => ({ process, kycType });

function changeOf(part: Part, was: Item | undefined, is: Item | undefined): RulesChange[] {
  const change = { part, before: was?.text ?? null, after: is?.text ?? null };
  if (was === undefined || is === undefined) return [change];
  const scope = { before: scopeOf(was), after: scopeOf(is) };
  if (scope.before.process !== scope.after.process || scope.before.kycType !== scope.after.kycType)
    return [{ ...change, scope }];
  return change.before === change.after ? [] : [change];
}

function itemChanges(part: Part, before: readonly Item[], after: readonly Item[]): RulesChange[] {
  const [was, is] = [byCode(before), byCode(after)];
  const codes = [...new Set([...was.keys(), ...is.keys()])];
  return codes.flatMap((code) => changeOf(part, was.get(code), is.get(code)));
}

const hours = (part: Part, before: number, after: number): RulesChange[] =>
  before === after ? [] : [{ part, before: String(before), after: String(after) }];

const inUse = ({ reasons }: CaseRules, decision: "APPROVED" | "REPROVED") =>
  reasons.filter((reason) => reason.decision === decision && !reason.isRetired);

const wordItems = ({ stoppedWords }: CaseRules) => stoppedWords.map((word) => ({ code: word, text: word }));

const LISTS = [
  ["approvalReason", (rules) => inUse(rules, "APPROVED")],
  ["refusalReason", (rules) => inUse(rules, "REPROVED")],
  ["checklistPf", ({ checklist }) => checklist.PF],
  ["checklistPj", ({ checklist }) => checklist.PJ],
  ["stoppedWord", wordItems],
] as const satisfies [Part, (rules: CaseRules) => readonly Item[]][];

const codesIn = (items: readonly Item[]) => items.map(({ code }) => code).join(", ");

/** What changed, in the order of the form; a retired reason is one that there is no more. */
export function changesBetween(before: CaseRules, after: CaseRules): RulesChange[] {
  const lists = LISTS.flatMap(([part, itemsOf]) => itemChanges(part, itemsOf(before), itemsOf(after)));
  const found = [
    ...hours("slaPf", before.slaHours.PF, after.slaHours.PF),
    ...hours("slaPj", before.slaHours.PJ, after.slaHours.PJ),
    ...hours("dueSoon", before.dueSoonHours, after.dueSoonHours),
    ...lists,
  ];
  const isMoved = LISTS.some(([, itemsOf]) => codesIn(itemsOf(before)) !== codesIn(itemsOf(after)));
  return found.length === 0 && isMoved ? [{ part: "order", before: null, after: null }] : found;
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

/** The same for the record: codes, numbers and words, each before and after; the texts stand with the version. */
export function detailOf(before: CaseRules, after: CaseRules): Record<string, string | number> {
  const numbers = [
    ["slaPf", before.slaHours.PF, after.slaHours.PF],
    ["slaPj", before.slaHours.PJ, after.slaHours.PJ],
    ["dueSoon", before.dueSoonHours, after.dueSoonHours],
  ] as const;
  const lists = LISTS.map(([part, itemsOf]) => [part, codesIn(itemsOf(before)), codesIn(itemsOf(after))] as const);
  const pairs = [...numbers, ...lists]
    .filter(([, was, is]) => was !== is)
    .flatMap(([part, was, is]) => [[`from${capital(part)}`, was] as const, [`to${capital(part)}`, is] as const]);
  const changed = changesBetween(before, after).filter(({ part }) => !/^(sla|due)/.test(part));
  const reworded = changed.filter((one) => one.before !== null && one.after !== null && one.before !== one.after);
  const scopes = changed.filter(({ scope }) => scope !== undefined).length;
  return { ...Object.fromEntries(pairs), texts: reworded.length, ...(scopes > 0 && { scopes }) };
}
