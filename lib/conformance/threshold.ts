import type { DifferenceKind } from "@/lib/contract/differences";
import type { FindingKind } from "@/lib/db/enums/provider";

/** One row of the findings of a tenant. */
export type CountedFinding = {
  day: string;
  operation: string;
  is: FindingKind;
  field: string;
  found: string;
  answers: number;
};

type ProviderChange = {
  operation: string;
  is: Exclude<DifferenceKind, "UNKNOWN">;
  field: string;
  found: string;
  answers: number;
  of: number;
};

const LEAST_ANSWERS = 5;
const LEAST_SHARE = 0.1;

const isMuch = (answers: number, of: number) => answers >= LEAST_ANSWERS && answers >= of * LEAST_SHARE;

const keyOf = ({ operation, is, field, found }: CountedFinding) => JSON.stringify([operation, is, field, found]);

/**
 * The changes that are an incident: documented fields that are missing or retyped on that day in 5 answers and a tenth
 * of the operation's, and were not on an earlier day of the findings. A provider that always differed changed nothing,
 * and an unknown field is none (interface: Endpoints; fields may be added). `findings`: of one tenant, up to that day.
 */
export function changesOn(day: string, findings: readonly CountedFinding[]): ProviderChange[] {
  const before = findings.filter((one) => one.day < day);
  const known = new Set(before.map(keyOf));
  const wasAnswered = new Set(before.flatMap(({ is, operation }) => (is === "ANSWERED" ? operation : [])));
  const today = findings.filter((one) => one.day === day);
  const answered = new Map(
    today.flatMap(({ is, operation, answers }) => (is === "ANSWERED" ? [[operation, answers]] : [])),
  );
  return today.flatMap((one): ProviderChange[] => {
    const { operation, is, field, found, answers } = one;
    if (is !== "MISSING" && is !== "RETYPED") return [];
    const of = answered.get(operation) ?? answers;
    const isNew = wasAnswered.has(operation) && !known.has(keyOf(one));
    return isNew && isMuch(answers, of) ? [{ operation, is, field, found, answers, of }] : [];
  });
}

/** Operations of which a documented field is still missing or retyped in answers of that day as above, whenever that began. */
export function differingOn(day: string, findings: readonly CountedFinding[]): ReadonlySet<string> {
  const today = findings.filter((one) => one.day === day);
  const answered = new Map(
    today.flatMap(({ is, operation, answers }) => (is === "ANSWERED" ? [[operation, answers]] : [])),
  );
  const differing = today.filter(
    ({ is, operation, answers }) =>
      (is === "MISSING" || is === "RETYPED") && isMuch(answers, answered.get(operation) ?? answers),
  );
  return new Set(differing.map(({ operation }) => operation));
}
