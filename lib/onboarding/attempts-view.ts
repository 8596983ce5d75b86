import type { OnboardingStatus } from "@/lib/contract/onboarding";
import { type AttemptRow, chainOf } from "./attempts";

export type AttemptView = { id: string; status: OnboardingStatus; firstSeenAt: string };

export type AttemptsView = {
  /** Those linked with this one, itself among them, from the first to the last. */
  chain: AttemptView[];
  /** Which of the chain this one is, from 1. */
  place: number;
  /** Other ones of the same document, newest first. */
  others: AttemptView[];
  /** Of those, the earlier ones that this one can take up again, newest first. */
  joinable: AttemptView[];
};

const viewOf = ({ id, status, firstSeenAt }: AttemptRow): AttemptView => ({
  id,
  status,
  firstSeenAt: firstSeenAt.toISOString(),
});

/** The attempts of one document as one of them shows them; `rows` from the oldest to the newest. */
export function viewAttempts(rows: readonly AttemptRow[], id: string): AttemptsView {
  const chain = chainOf(rows, id);
  const others = rows.filter((row) => !chain.includes(row)).toReversed();
  const at = rows.findIndex((row) => row.id === id);
  const isFirst = chain[0]?.id === id;
  const isFree = (row: AttemptRow) => rows.indexOf(row) < at && !rows.some(({ previousId }) => previousId === row.id);
  return {
    chain: chain.map(viewOf),
    place: chain.findIndex((row) => row.id === id) + 1,
    others: others.map(viewOf),
    joinable: isFirst ? others.filter(isFree).map(viewOf) : [],
  };
}
