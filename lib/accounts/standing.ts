import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { AppError } from "@/lib/errors/app-error";
import { getBalance, getCompanyInfo, getPersonInfo } from "@/lib/provider/operations";
import { maskWithin } from "@/lib/contract/document";
import { stringifyJson } from "@/lib/contract/json";
import { accountWordsIn, isOfAnswer, knownStatusIn, plainName } from "@/lib/contract/open-answer";
import { isCompletion } from "@/lib/contract/told-state";
import type { Unread } from "@/lib/contract/shared";
import { accountDocument } from "@/lib/db/document";
import type { account } from "@/lib/db/tables/customers";
import type { AccountStanding } from "@/lib/db/enums/accounts";

/** Of an entry of a statement: whether it moved money. */
export const isBooked = ({ status }: { status: string }): boolean =>
  status === "" || isOfAnswer(status) || isCompletion(status);

export type AccountRow = typeof account.$inferSelect;

// The account record's answer is not documented, so a status is searched under these names.
const WORDS: Readonly<Record<Exclude<AccountStanding, "UNKNOWN">, Record<"same" | "near", readonly string[]>>> = {
  CLOSED: {
    same: ["closed", "encerrada", "encerrado", "fechada", "fechado"],
    near: ["canceled", "cancelled", "cancelada", "cancelado", "terminated"],
  },
  BLOCKED: {
    same: ["blocked", "bloqueada", "bloqueado"],
    near: ["suspended", "suspensa", "suspenso", "frozen", "congelada", "congelado", "locked"],
  },
  OPEN: { same: ["active", "open", "ativa", "ativo", "aberta", "aberto"], near: ["unblocked", "desbloqueada"] },
};
const STANDINGS = ["CLOSED", "BLOCKED", "OPEN"] as const;

/** The meaning of a provider's account status; UNKNOWN for other words and for those that describe the answer. */
export function standingOf(word: string): AccountStanding {
  const plain = plainName(word).replace(/^(?:conta|account)|(?:account)$/g, "");
  return STANDINGS.find((one) => [...WORDS[one].same, ...WORDS[one].near].includes(plain)) ?? "UNKNOWN";
}

export const isSameStanding = (word: string): boolean =>
  STANDINGS.some((standing) => WORDS[standing].same.includes(plainName(word)));

/** An amount's exact decimal string, or the provider's text; empty when absent. */
export function amountText(amount: string | Unread): string {
  if (typeof amount === "string") return amount;
  const { unread } = amount;
  if (typeof unread === "string") return maskWithin(unread.trim());
  return unread === null || unread === undefined ? "" : maskWithin(stringifyJson(unread));
}

const isHeardOf = (word: string) => standingOf(word) !== "UNKNOWN";

/** The account's status word in an answer, as it came; empty when there is none, or two. */
export function statusWordIn(answer: unknown): string {
  const words = accountWordsIn(answer).map((told) => told.find(isHeardOf) ?? told[0] ?? "");
  const heard = words.filter(isHeardOf);
  const [word, ...others] = heard.length === 0 ? words : heard;
  if (word === undefined) return knownStatusIn(answer, isHeardOf) ?? "";
  const isSame = (other: string) => other === word || (isHeardOf(word) && standingOf(other) === standingOf(word));
  return others.every(isSame) ? word : "";
}

/** The status in a balance answer: its own, or a known word nested below. */
export function balanceWordIn(answer: { status: string }): string {
  if (answer.status !== "" && !isOfAnswer(answer.status)) return answer.status;
  const within = statusWordIn(answer);
  return isHeardOf(within) ? within : "";
}

/** The account's status in an undocumented answer, by known words. */
export function standingIn(answer: unknown): AccountStanding {
  return standingOf(statusWordIn(answer));
}

type Asking = { actor: Actor; row: AccountRow };

function askedOf({ row }: Asking) {
  const documentNumber = accountDocument(row);
  return { query: { accountId: row.accountId, documentNumber }, object: `account:${row.ref}` };
}

/** Asks the provider for its record of the account (interface: Bank accounts › getAccountInfoNaturalPerson, …LegalPerson). */
export function readInformation(asking: Asking, how: { isFresh?: boolean } = {}) {
  const asked = askedOf(asking);
  const operation = asked.query.documentNumber.length === 11 ? getPersonInfo : getCompanyInfo;
  return provider.get(asking.actor, operation, { ...asked, ...how });
}

// A decision needs a read that starts now.
const FRESH = { isFresh: true } as const;

export const readStanding = async (asking: Asking): Promise<AccountStanding> =>
  standingIn((await readInformation(asking, FRESH)).answer);

/** Throws for an unreadable amount, because decisions depend on it. */
function exact(amount: string | Unread): string {
  if (typeof amount === "string") return amount;
  throw new AppError("malformed", { code: "answer-not-documented" });
}

/** The current balance: decimal strings in reais, the time of the request (ISO), and the status in that answer. */
export async function readHoldings(asking: Asking) {
  const { answer, asOf } = await provider.get(asking.actor, getBalance, { ...askedOf(asking), ...FRESH });
  const { balance, blockedBalance } = answer.data;
  return {
    balance: exact(balance),
    blockedBalance: exact(blockedBalance),
    asOf: asOf.toISOString(),
    reportedStanding: standingOf(balanceWordIn(answer)),
  };
}
