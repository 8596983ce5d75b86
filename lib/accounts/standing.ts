import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { bank } from "@/lib/bank/bank";
import { getBalance, getCompanyInfo, getPersonInfo } from "@/lib/bank/operations";
import type { OpenRecord } from "@/lib/contract/shared";
import { accountDocument } from "@/lib/store/document";
import type { account } from "@/lib/store/schema";

export type AccountRow = typeof account.$inferSelect;

/** What the provider says of an account; UNTOLD when it uses no word that we know. */
export type AccountStanding = "OPEN" | "CLOSED" | "UNTOLD";

// How the account's record answers is not shown: these are the names and words under which a status is looked for.
const Status = z.string().transform((word) => word.trim().toUpperCase());
const Told = z.looseObject({
  status: Status.optional().catch(undefined),
  accountStatus: Status.optional().catch(undefined),
});
const CLOSED: readonly string[] = ["CLOSED", "ENCERRADA", "ENCERRADO"];
const OPEN: readonly string[] = ["ACTIVE", "OPEN", "ATIVA", "ATIVO", "ABERTA"];

/** The word that an answer about an account has for how it stands, in capitals; empty when it has none. */
export function statusWordIn(answer: OpenRecord): string {
  const { accountStatus, status } = Told.safeParse(answer["data"]).data ?? {};
  return accountStatus ?? status ?? "";
}

/** What an answer about an account says of it, by the names and words that are known. */
export function standingIn(answer: OpenRecord): AccountStanding {
  const word = statusWordIn(answer);
  if (CLOSED.includes(word)) return "CLOSED";
  return OPEN.includes(word) ? "OPEN" : "UNTOLD";
}

type Asking = { actor: Actor; row: AccountRow };

function askedOf({ row }: Asking) {
  const documentNumber = accountDocument(row);
  // Not joined to a read that began earlier: something is decided upon it.
  return { query: { accountId: row.accountId, documentNumber }, object: `account:${row.ref}`, isFresh: true };
}

/** Asks the provider (interface: Bank accounts › getAccountInfoNaturalPerson, getAccountInfoLegalPerson). */
export async function readStanding(asking: Asking): Promise<AccountStanding> {
  const asked = askedOf(asking);
  const operation = asked.query.documentNumber.length === 11 ? getPersonInfo : getCompanyInfo;
  return standingIn((await bank.get(asking.actor, operation, asked)).answer);
}

/** What the account holds now: decimal strings in reais, with when it was asked (ISO). */
export async function readHoldings(asking: Asking) {
  const { answer, asOf } = await bank.get(asking.actor, getBalance, askedOf(asking));
  const { balance, blockedBalance } = answer.data;
  return { balance, blockedBalance, asOf: asOf.toISOString() };
}
