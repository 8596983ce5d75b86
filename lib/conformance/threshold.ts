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

const keyOf = ({ operation, is, field, found }: CountedFinding) => JSON.stringify([operation, is, field, found]);

/** Documented fields that are missing or retyped on that day, in 5 answers and a tenth of the operation's. */
function grossOn(day: string, findings: readonly CountedFinding[]): (ProviderChange & { key: string })[] {
  const today = findings.filter((one) => one.day === day);
  const answered = new Map(
    today.flatMap(({ is, operation, answers }) => (is === "ANSWERED" ? [[operation, answers]] : [])),
  );
  return today.flatMap((one) => {
    const { operation, is, field, found, answers } = one;
    const of = answered.get(operation) ?? answers;
    if ((is !== "MISSING" && is !== "RETYPED") || answers < LEAST_ANSWERS || answers < of * LEAST_SHARE) return [];
    return [{ key: keyOf(one), operation, is, field, found, answers, of }];
  });
}

/**
 * The changes that are an incident: gross ones that were not on an earlier day of the findings. A provider that always
 * differed changed nothing, and an unknown field is none (interface: Endpoints; fields may be added). `findings`: of one
 * tenant, up to that day.
 */
export function changesOn(day: string, findings: readonly CountedFinding[]): ProviderChange[] {
  const before = findings.filter((one) => one.day < day);
  const known = new Set(before.map(keyOf));
  const wasAnswered = new Set(before.flatMap(({ is, operation }) => (is === "ANSWERED" ? operation : [])));
  return grossOn(day, findings).flatMap(({ key, ...change }) =>
    wasAnswered.has(change.operation) && !known.has(key) ? [change] : [],
  );
}

/** Operations with a gross difference on that day, whenever it began. */
export const differingOn = (day: string, findings: readonly CountedFinding[]): ReadonlySet<string> =>
  new Set(grossOn(day, findings).map(({ operation }) => operation));
