import { bound, printBounds } from "./bound";
import { answeredBound, withReaders } from "./readers";

const CALLS = 500;

export const take = (): Promise<boolean> =>
  withReaders(async ({ counter, readAtOnce }) => {
    const outcome = await readAtOnce(CALLS);
    return printBounds([
      bound("token requests", counter.tokenRequests(), { exactly: 1 }),
      answeredBound(outcome, CALLS),
    ]);
  });
