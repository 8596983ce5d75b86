import { conflict } from "@/lib/errors/denial";

type Attempt = { previousId: string | null };

export const attemptCan = {
  /** Each retries at most one earlier attempt, and is retried once. */
  join: (attempts: readonly Attempt[], { previousId }: Attempt, older: string) => {
    const isTaken = previousId !== null || attempts.some((one) => one.previousId === older);
    return isTaken ? conflict("attempt-taken") : null;
  },
};
