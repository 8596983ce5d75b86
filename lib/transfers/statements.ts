import { entryPagesOf } from "@/lib/accounts/records";
import { StatementFilter } from "@/lib/accounts/inputs";
import type { Actor } from "@/lib/permission/grant";
import type { StatementEntry } from "@/lib/contract/accounts";
import { civilDay } from "@/lib/text/time";

type Payer = { accountId: string; documentNumber: string; ref: string };

type OpenStatement = { from: string; pages: StatementEntry[][]; rest: AsyncGenerator<StatementEntry[]> };

export type Statements = (payer: Payer, since: Date) => AsyncGenerator<StatementEntry[]>;

/** For one sweep: each page of a statement is read once, whoever needs it. */
export function createStatements(actor: Actor): Statements {
  const readings = new Map<string, OpenStatement>();

  function begin({ accountId, documentNumber, ref }: Payer, from: string): OpenStatement {
    const filter = StatementFilter.parse({ from });
    const asking = { asked: { accountId, documentNumber }, object: `account:${ref}`, filter };
    const reading: OpenStatement = { from, pages: [], rest: entryPagesOf(actor, asking) };
    readings.set(accountId, reading);
    return reading;
  }

  /** A failed page is not the end: the next caller starts over. */
  async function readOn(accountId: string, { pages, rest }: OpenStatement): Promise<StatementEntry[] | null> {
    readings.delete(accountId);
    const next = await rest.next();
    if (next.done === true) return null;
    pages.push(next.value);
    return next.value;
  }

  return async function* pagesOf(payer, since) {
    const { accountId } = payer;
    const from = civilDay(since);
    const known = readings.get(accountId);
    const reading = known !== undefined && known.from <= from ? known : begin(payer, from);
    for (let at = 0; ; at += 1) {
      const page = reading.pages[at] ?? (await readOn(accountId, reading));
      readings.set(accountId, reading);
      if (page === null) return;
      yield page;
    }
  };
}
