import { DEADLINE_HOURS_MAX, OPEN_CASES_MAX, type SlaClock } from "@/lib/db/enums/kyc";
import { newIntentId } from "@/lib/text/intent";
import type { RulesView } from "@/lib/kyc/queries";

/** `code` null: new. `key`: identity while editing. */
export type DraftItem = {
  key: string;
  code: string | null;
  text: string;
  process: Rules["reasons"][number]["process"];
};
export type DraftReason = DraftItem & Pick<Rules["reasons"][number], "decision" | "isRetired" | "kycType">;

export type RulesDraft = {
  slaPf: string;
  slaPj: string;
  slaClock: SlaClock;
  dueSoon: string;
  /** Empty: nothing is assigned by itself. */
  openCases: string;
  reasons: DraftReason[];
  checklist: { PF: DraftItem[]; PJ: DraftItem[] };
  /** One term a line. */
  words: string;
};

export type Rules = RulesView["rules"];

const keyed = <Item extends { code: string; text: string }>(items: readonly Item[]) =>
  items.map((item) => ({ ...item, key: item.code }));

export const draftOf = ({
  slaHours,
  slaClock = "continuous",
  dueSoonHours,
  openCasesMax,
  reasons,
  checklist,
  stoppedWords,
}: Rules): RulesDraft => ({
  slaPf: String(slaHours.PF),
  slaPj: String(slaHours.PJ),
  slaClock,
  dueSoon: String(dueSoonHours),
  openCases: openCasesMax === null ? "" : String(openCasesMax),
  reasons: keyed(reasons),
  checklist: { PF: keyed(checklist.PF), PJ: keyed(checklist.PJ) },
  words: stoppedWords.join("\n"),
});

export const newItem = (): DraftItem => ({ key: newIntentId(), code: null, text: "", process: null });

export const linesOf = (words: string): string[] =>
  words
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const plain = ({ code, text, process }: DraftItem) => ({ code, text: text.trim(), process });

export const rulesOf = ({ slaPf, slaPj, slaClock, dueSoon, openCases, reasons, checklist, words }: RulesDraft) => ({
  slaHours: { PF: Number(slaPf), PJ: Number(slaPj) },
  slaClock,
  dueSoonHours: Number(dueSoon),
  openCasesMax: openCases.trim() === "" ? null : Number(openCases),
  reasons: reasons.map(({ decision, isRetired, kycType, ...item }) => ({
    ...plain(item),
    decision,
    isRetired,
    kycType,
  })),
  checklist: { PF: checklist.PF.map(plain), PJ: checklist.PJ.map(plain) },
  stoppedWords: linesOf(words),
});

export const isSame = (one: RulesDraft, other: RulesDraft): boolean =>
  JSON.stringify(rulesOf(one)) === JSON.stringify(rulesOf(other));

export const areHours = (typed: string): boolean =>
  /^\d{1,4}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= DEADLINE_HOURS_MAX;

export const isCap = (typed: string): boolean =>
  typed.trim() === "" || (/^\d{1,3}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= OPEN_CASES_MAX);

/** The same checks that the server makes first. */
export const isWhole = ({ slaPf, slaPj, dueSoon, openCases, reasons, checklist }: RulesDraft): boolean =>
  [slaPf, slaPj, dueSoon].every(areHours) &&
  isCap(openCases) &&
  [...reasons, ...checklist.PF, ...checklist.PJ].every(({ text }) => text.trim() !== "");

export function moved<Item extends DraftItem>(
  items: readonly Item[],
  { key, by }: { key: string; by: -1 | 1 },
  isOfKind: (item: Item) => boolean = () => true,
): Item[] {
  const kind = items.filter(isOfKind);
  const at = kind.findIndex((item) => item.key === key);
  const one = kind[at];
  const other = kind[at + by];
  if (one === undefined || other === undefined) return [...items];
  return items.map((item) => (item === one ? other : item === other ? one : item));
}
