import { and, desc, eq, max, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { AppError } from "@/lib/errors/app-error";
import { getAccounts, getAccountByPixKey, getTransaction } from "@/lib/provider/operations";
import { maskDocument, maskWithin, restoredDocuments } from "@/lib/contract/document";
import { refuseUnclear } from "@/lib/contract/document-schema";
import { pasted } from "@/lib/contract/fold";
import { fold } from "@/lib/contract/signs";
import { documentIn, findIn, readList } from "@/lib/contract/open-answer";
import { Required } from "@/lib/contract/shared";
import { refreshOnboarding } from "@/lib/onboarding/records";
import { canBeId, customerAmong, CustomerQuery, isTypedDocument } from "@/lib/onboarding/inputs";
import { customerAccess } from "@/lib/db/tables/privacy";
import { accountDocument, shownAccountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { db } from "@/lib/db/connection";
import { isMasked } from "@/lib/text/masks";
import { civilDaysAgo } from "@/lib/text/time";
import { admitReveal } from "@/lib/privacy/reveal";
import { RevealReasoned } from "@/lib/privacy/inputs";
import { lookupHash } from "@/lib/db/seal";
import { type KnownFields, readFields } from "@/lib/text/reported-fields";
import { QUERY_MAX } from "@/lib/text/page";
import { readPixKey, whyNoPixKey } from "./inputs";
import type { FoundRecord, PixKeyFieldName, PixKeyHolder } from "./view";

/** Some banks write P or X as the check digit, and points between thousands; a branch's digit is ignored. */
const NUMBER = /^(?:(\d{1,6})(?:-[\dXP])? *\/ *)?(\d{2,12}(?:-?[\dXP])?)$/i;

const LABEL_END = String.raw`(?: *n[o.]{1,2}(?= *\d))?[ .:#]*`;
/** As screens print it: `Agência 0001 · Conta 104735-3`, `ag 0001 cc 104735-3`, `conta 104735-3`. */
const LABELLED = new RegExp(
  String.raw`^(?:(?:ag[êe]ncia|ag|branch)${LABEL_END}(\d{1,6}(?:-[\dXP])?)[ ,.;|/-]+)?` +
    String.raw`(?:(?:conta(?:[ -]corrente)?|c\/?c|account)${LABEL_END})?(\d[\d.]*(?:-[\dXP])?)$`,
  "i",
);
/** Two numbers that a space alone parts are branch and number when a single check digit ends them. */
const SPACED = /^(\d{4}(?:-[\dXP])?)[ ,.;|]+(\d{5,10}-[\dXP])$/i;

function withoutLabels(text: string): string {
  const [, branch, number = text] = LABELLED.exec(text) ?? SPACED.exec(text) ?? [];
  return branch === undefined ? number : `${branch}/${number}`;
}

const plainNumber = (typed: string) =>
  withoutLabels(fold(pasted(typed)))
    .replaceAll(/(?<=\d)\.(?=\d)/g, "")
    .split("-")
    .map((part) => part.trim())
    .join("-");

/** With its branch, or called one, an account number may have as many digits as a document. */
const isBranched = (typed: string) =>
  NUMBER.exec(plainNumber(typed))?.[1] !== undefined ||
  (/^[a-z]/i.test(pasted(typed)) && NUMBER.test(plainNumber(typed)));

/** Shorter than any document, as account numbers may be. */
const isShortNumber = (typed: string) => /^\d{2,3}(-?[\dXP])?$/i.test(plainNumber(typed));

const isNumberAlone = (typed: string) => isBranched(typed) || isShortNumber(typed);

export const LookUp = z.object({
  query: Required.max(QUERY_MAX)
    .refine((typed) => !isMasked(typed), { params: { code: "masked" } })
    .superRefine(refuseUnclear(isNumberAlone))
    .transform((typed) => (isNumberAlone(typed) ? typed : customerAmong(typed)))
    .refine((typed) => isNumberAlone(typed) || isTypedDocument(typed) || canBeId(typed), {
      params: { code: "customer" },
    })
    .transform((typed) => (isNumberAlone(typed) ? plainNumber(typed) : CustomerQuery.parse(typed))),
  isEntryToo: z.boolean().optional(),
});

type Reader = Actor<"accounts:read">;

/** An account number as people write it; the check digit may be missing. */
type AccountNumber = { branch: string | null; number: string };

const digitsOf = (text: string) =>
  fold(text)
    .replaceAll(/[^\dXP]/gi, "")
    .toUpperCase();

/** `12345-6`, `123456`, `12345`, `0001 / 12345-6`; null for what cannot be an account number. */
export function numberIn(typed: string): AccountNumber | null {
  const [, branch, number] = NUMBER.exec(plainNumber(typed)) ?? [];
  return number === undefined ? null : { branch: branch ?? null, number: digitsOf(number) };
}

/** A branch, and a number with its one check digit behind a dash, as no document is written. */
export const isNumberWithBranch = (typed: string): boolean =>
  /^\d{1,4}(?:-[\dXP])? *\/ *\d{2,10}-[\dXP]$/i.test(plainNumber(typed));

const branchOf = (text: string) => digitsOf(text).replace(/^0+/, "");

/** Whether the provider's number matches the typed one, with or without its check digit. */
function isNumber(printed: Record<"number" | "branch", string>, typed: AccountNumber): boolean {
  const { number, branch } = printed;
  const [base = ""] = number.split("-");
  const isIt = digitsOf(number) === typed.number || (base !== number && digitsOf(base) === typed.number);
  return isIt && (typed.branch === null || branch === "" || branchOf(branch) === branchOf(typed.branch));
}

const onRecord = ({ tenant, id: actor }: Reader, object: string) =>
  ({ tenant, actor, code: "accounts.look-up", outcome: "DONE", object }) as const;

/** Matches the provider's account id or the number, with or without its check digit. */
export function isAccount(query: string): SQL | undefined {
  const typed = numberIn(query);
  const isIts = sql`lower(${account.accountId}) = ${query.toLowerCase()}`;
  if (typed === null) return isIts;
  const bare = sql`regexp_replace(upper(${account.number}), '[^0-9XP]', '', 'g')`;
  const base = sql`regexp_replace(split_part(${account.number}, '-', 1), '[^0-9]', '', 'g')`;
  const isNumbered = or(sql`${bare} = ${typed.number}`, sql`${base} = ${typed.number}`);
  const ofBranch = typed.branch === null ? undefined : sql`ltrim(${account.branch}, '0') = ltrim(${typed.branch}, '0')`;
  return or(isIts, and(isNumbered, ofBranch));
}

/** Searches the store by the provider's account id or the number; throws when several accounts share a number. */
async function findStored(reader: Reader, query: string, typed: AccountNumber | null): Promise<FoundRecord | null> {
  const store = await db();
  const rows = await store
    .select({ ref: account.ref, accountId: account.accountId, number: account.number })
    .from(account)
    .where(and(eq(account.tenant, reader.tenant), isAccount(query)));
  const byId = rows.filter(({ accountId }) => accountId === query);
  const whole = rows.filter(({ number }) => typed !== null && digitsOf(number) === typed.number);
  const [best = []] = [byId, whole, rows].filter(({ length }) => length > 0);
  const [only, another] = best;
  if (another !== undefined) throw new AppError("conflict", { code: "account-several" });
  if (only === undefined) return null;
  await record(store, onRecord(reader, `account:${only.ref}`));
  return { accountRef: only.ref };
}

const LISTED_DAYS = 730;
const PAGE_LIMIT = 100;
const MAX_PAGES = 5;

/** The document or id with which to ask the provider about the listed account; null when none matches. */
async function listedAs(reader: Reader, query: string, typed: AccountNumber | null): Promise<string | null> {
  const period = { initialDate: civilDaysAgo(LISTED_DAYS), endDate: civilDaysAgo(0) };
  for (let page = 0; page <= MAX_PAGES; page += 1) {
    // The first page is requested without a number, as providers count from 0 or 1.
    const numbered = page === 0 ? {} : { page };
    const { answer } = await provider.get(reader, getAccounts, {
      query: { ...period, limit: PAGE_LIMIT, ...numbered },
    });
    const { understood } = readList(answer, (entry) => ({
      id: findIn(entry, "accountId")?.text,
      number: findIn(entry, "accountNumber")?.text ?? "",
      branch: findIn(entry, "branch")?.text ?? "",
      document: documentIn(entry),
      onboarding: findIn(entry, "onboardingId")?.text,
    }));
    const listed = understood.find((one) => one.id === query || (typed !== null && isNumber(one, typed)));
    if (listed !== undefined) return listed.onboarding ?? listed.document;
    const pages = Number(findIn(answer, "totalPages")?.text ?? Number.NaN);
    if (understood.length === 0 || Math.max(page, 1) >= pages) return null;
  }
  return null;
}

/** Asks the provider about a document or an onboarding id. */
async function askAbout(reader: Reader, asked: string): Promise<FoundRecord> {
  const { id, accountRef } = await refreshOnboarding(reader, asked, {
    also: (tx, stored) =>
      record(
        tx,
        onRecord(reader, stored.accountRef === null ? `onboarding:${stored.id}` : `account:${stored.accountRef}`),
      ),
  });
  return accountRef === null ? { onboardingRef: id } : { accountRef };
}

const MAX_ACCOUNTS = 5;

type FoundEntry = { accountRef: string; entry: string };

async function firstEntry(reader: Reader, rows: readonly SeenAccount[], query: string): Promise<FoundEntry | null> {
  for (const row of rows) {
    const entry = await entryOf(reader, row, query);
    if (entry !== null) return { accountRef: row.ref, entry };
  }
  return null;
}

/** The provider needs an account's document for a transaction: the person's recent ones first, then others'. */
async function entryIn(reader: Reader, query: string): Promise<FoundRecord | null> {
  const { tenant, id } = reader;
  const { actor, seenAt, object } = customerAccess;
  const store = await db();
  const seen = await store
    .select({ ref: account.ref, documentSealed: account.documentSealed })
    .from(account)
    .innerJoin(customerAccess, and(eq(customerAccess.tenant, tenant), eq(object, sql`'account:' || ${account.ref}`)))
    .where(eq(account.tenant, tenant))
    .groupBy(account.ref)
    .orderBy(desc(sql`bool_or(${actor} = ${id})`), desc(max(seenAt)))
    .limit(MAX_ACCOUNTS);
  const found = await firstEntry(reader, seen, query);
  if (found !== null) await record(store, onRecord(reader, `account:${found.accountRef}`));
  return found;
}

/** A provider may call an id of another format invalid. */
const isUnknownTo = (error: unknown): error is AppError =>
  error instanceof AppError && (error.kind === "not-found" || error.kind === "invalid");

type SeenAccount = { ref: string; documentSealed: string };

async function entryOf(reader: Reader, row: SeenAccount, transactionId: string): Promise<string | null> {
  const query = { transactionId, documentNumber: accountDocument(row) };
  try {
    const { answer } = await provider.get(reader, getTransaction, { object: `account:${row.ref}`, query });
    const ids = [findIn(answer, "transactionId")?.text, findIn(answer, "endToEndId")?.text];
    return ids.includes(transactionId) ? (ids[0] ?? transactionId) : null;
  } catch (error) {
    if (isUnknownTo(error)) return null;
    throw error;
  }
}

async function unlessUnknown<Found>(asking: Promise<Found>): Promise<Found | null> {
  try {
    return await asking;
  } catch (error) {
    if (isUnknownTo(error)) return null;
    throw error;
  }
}

/** Tries the document with the zeros that a spreadsheet dropped; null when nobody has it. */
async function findRestored(reader: Reader, [document, ...others]: readonly string[]): Promise<FoundRecord | null> {
  if (document === undefined) return null;
  const found = await unlessUnknown(askAbout(reader, document));
  return found === null ? findRestored(reader, others) : { ...found, restored: maskDocument(document) };
}

/**
 * Finds a customer by CPF, CNPJ or onboarding id, or by an account's number or id, in the store and then at the
 * provider, and keeps an opaque reference for URLs. Throws not-found `customer-unknown` or `nothing-known`, and
 * conflict `account-several`.
 */
export async function lookUp(reader: Reader, { query, isEntryToo }: z.output<typeof LookUp>): Promise<FoundRecord> {
  const typed = numberIn(query);
  const stored = isTypedDocument(query) ? null : await findStored(reader, query, typed);
  if (stored !== null) return stored;
  const restored = await findRestored(reader, restoredDocuments(query));
  if (restored !== null) return restored;
  try {
    return await askAbout(reader, query);
  } catch (error) {
    if (!isUnknownTo(error) || (isTypedDocument(query) && error.kind === "invalid")) throw error;
    const isEntry = isEntryToo === true && !isTypedDocument(query) && typed === null;
    const entry = isEntry ? await entryIn(reader, query) : null;
    if (entry !== null) return entry;
    const listed = isTypedDocument(query) ? null : await listedAs(reader, query, typed);
    const code = isEntry ? "nothing-known" : "customer-unknown";
    if (listed === null) throw new AppError("not-found", { ...error.details, code });
    return askAbout(reader, listed);
  }
}

/** A key, the reason for the look-up, and a note. */
export const PixKeyLookUp = RevealReasoned.extend({
  pixKey: Required.max(140).transform((typed, context) => {
    const key = readPixKey(typed);
    if (key !== null) return key;
    context.addIssue({ code: "custom", params: { code: whyNoPixKey(typed) } });
    return z.NEVER;
  }),
});

const KNOWN: KnownFields<PixKeyFieldName> = {
  name: {
    aliases: ["fullName", "holderName", "ownerName", "nome", "nomeCompleto", "titular", "nomeTitular"],
    as: "name",
  },
  documentNumber: { aliases: ["document", "documento", "cpf", "cnpj", "cpfCnpj", "taxId"], as: "document" },
  type: { aliases: ["holderType", "personType", "tipoPessoa"], as: "open" },
  bank: { aliases: ["bankName", "banco", "institution", "instituicao", "participantName", "nomeBanco"], as: "open" },
  ispb: { aliases: ["bankIspb", "participant", "ispbCode"], as: "open" },
  branch: { aliases: ["agencia", "branchCode"], as: "open" },
  account: { aliases: ["accountNumber", "numeroConta", "conta"], as: "open" },
  accountType: { aliases: ["bankAccountType", "tipoConta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  keyType: { aliases: ["pixKeyType", "tipoChave"], as: "open" },
  pixKey: { aliases: ["key", "chave", "chavePix"], as: "hidden" },
};

type Payer = Actor<"transfers:create">;

/** By the provider's id, or by number when the holder's masked document matches. */
async function ownAccount({ tenant }: Payer, answer: unknown): Promise<PixKeyHolder["own"]> {
  const accountId = findIn(answer, "accountId")?.text ?? "";
  const typed = numberIn(findIn(answer, "accountNumber")?.text ?? "");
  const document = findIn(answer, "document")?.text ?? "";
  const rows = await (
    await db()
  )
    .select()
    .from(account)
    .where(
      and(
        eq(account.tenant, tenant),
        or(eq(account.accountId, accountId), typed === null ? undefined : isAccount(typed.number)),
      ),
    );
  const branch = findIn(answer, "branch")?.text ?? "";
  const isIts = (row: (typeof rows)[number]) =>
    typed !== null && isNumber(row, { ...typed, branch }) && shownAccountDocument(row).mask === maskWithin(document);
  const [own, another] = rows.filter((row) => row.accountId === accountId || isIts(row));
  return own === undefined || another !== undefined ? null : { ref: own.ref, name: `${own.branch} / ${own.number}` };
}

/**
 * A PIX key's holder: the name in clear, the document masked. Audited with its reason before the provider is asked.
 * Throws not-found `pix-key-unknown`, and forbidden `step-up` beyond twenty reveals within an hour.
 */
export async function lookUpPixKey(actor: Payer, asked: z.output<typeof PixKeyLookUp>): Promise<PixKeyHolder> {
  const { pixKey, reason, note } = asked;
  const object = `pix-key:${lookupHash(pixKey)}` as const;
  await admitReveal(actor, { code: "pix-key.look-up", object, reason, note, detail: {} });
  try {
    const { answer, asOf } = await provider.get(actor, getAccountByPixKey, { query: { pixKey } });
    const fields = readFields<PixKeyFieldName>(answer, KNOWN, ["name"]).filter(({ name }) => name !== "pixKey");
    return { pixKey: maskWithin(pixKey), fields, own: await ownAccount(actor, answer), asOf: asOf.toISOString() };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "not-found") throw error;
    throw new AppError("not-found", { ...error.details, code: "pix-key-unknown" });
  }
}
