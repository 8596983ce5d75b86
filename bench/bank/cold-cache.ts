import { bound, printBounds } from "./bound";
import { TOKEN_ROUTE } from "./fault-script";
import { answeredBound, withReaders } from "./readers";

const CALLS = 500;

export const take = (): Promise<boolean> =>
  withReaders(async ({ proxy, readAtOnce }) => {
    const outcome = await readAtOnce(CALLS);
    return printBounds([
      bound("token requests", proxy.requests(TOKEN_ROUTE), { exactly: 1 }),
      answeredBound(outcome, CALLS),
    ]);
  });
