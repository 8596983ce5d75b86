import { documentIn, findIn, isOfAnswer, plainName, readList, userIdIn } from "@/lib/contract/open-answer";
import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { provider } from "@/lib/provider/client";
import { getBalance } from "@/lib/provider/operations";
import type { StatementEntry } from "@/lib/contract/accounts";
import { maskWithin } from "@/lib/contract/document";
import { amountKey } from "@/lib/contract/identity";
import type { Unread } from "@/lib/contract/shared";
import { publish } from "@/lib/db/publish";
import { sealDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { clearAt, type KnownFields, readFields, type ReportedField } from "@/lib/text/reported-fields";
import { readInstant } from "@/lib/text/read-time";
import { counterpartOfEntry, isReturnOf, noteMoved, returningEntry, textOfEntry } from "./kept-entries";
import { type Asking, isRead, readEntries, walkPages } from "./statement";
import {
  balanceWordIn,
  type AccountRow,
  amountText,
  readInformation,
  isSameStanding,
  standingOf,
  statusWordIn,
} from "./standing";
import { ACCOUNT_FIELDS, HOLDER_FIELDS, partnerNumber, type RecordFieldName } from "./view";
import type { AccountStanding } from "@/lib/db/enums/accounts";

export { readClosingStates } from "./closing-state";
export { counterpartOfEntry, isReturnOf, noteMoved, returningEntry, textOfEntry };
export { isBooked } from "./standing";
export { newestPaying, paysHolder } from "./transfer-of-entry";

/** The provider's own fields of each entry, page by page; unreadable entries are omitted. */
export async function* entryPagesOf(actor: Actor, asking: Asking): AsyncGenerator<StatementEntry[]> {
  for await (const { items } of walkPages(actor, asking, (one) => readEntries(actor, one))) yield items.filter(isRead);
}

const KNOWN: KnownFields<RecordFieldName> = {
  fullName: { aliases: ["name", "holderName", "nome", "nomeCompleto", "titular", "nomeTitular"], as: "name" },
  businessName: { aliases: ["legalName", "razaoSocial", "nomeEmpresarial"], as: "name" },
  tradingName: { aliases: ["nomeFantasia"], as: "name" },
  documentNumber: { aliases: ["document", "documento", "numeroDocumento", "cpf", "cnpj", "cpfCnpj"], as: "document" },
  birthDate: { aliases: ["dataNascimento", "nascimento"], as: "date" },
  establishmentDate: { aliases: ["dataConstituicao", "dataFundacao"], as: "date" },
  motherName: { aliases: ["nomeMae"], as: "name" },
  email: { aliases: ["emailAddress", "enderecoEmail"], as: "email" },
  businessEmail: { aliases: ["emailComercial"], as: "email" },
  phoneNumber: { aliases: ["phone", "telefone", "celular", "numeroTelefone"], as: "phone" },
  contactNumber: { aliases: ["telefoneContato", "telefoneComercial"], as: "phone" },
  isPoliticallyExposedPerson: { aliases: ["pep", "isPep", "pessoaPoliticamenteExposta"], as: "open" },
  address: { aliases: ["endereco"], as: "address" },
  businessAddress: { aliases: ["enderecoComercial"], as: "address" },
  status: { aliases: ["accountStatus", "situacao", "statusConta", "situacaoConta"], as: "open" },
  type: { aliases: ["tipo", "tipoPessoa"], as: "open" },
  branch: { aliases: ["agencia", "branchCode"], as: "open" },
  account: { aliases: ["accountNumber", "numeroConta", "conta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  onBoardingId: { aliases: ["idOnboarding", "idAbertura"], as: "open" },
  userId: { aliases: ["idUsuario", "usuarioId"], as: "open" },
  clientCode: { aliases: ["codigoCliente"], as: "open" },
  createdAt: { aliases: ["criadoEm", "dataCriacao", "creationDate", "dataAbertura"], as: "time" },
  closedAt: { aliases: ["encerradaEm", "dataEncerramento"], as: "time" },
  closingReason: { aliases: ["motivoEncerramento"], as: "hidden" },
};

export type RecordField = ReportedField<RecordFieldName>;

export type AccountRecord = {
  word: string;
  standing: AccountStanding;
  isOurWord: boolean;
  asOf: string;
  name: string;
  holder: RecordField[];
  account: RecordField[];
  partners: RecordField[][];
  documents: RecordField[];
  others: RecordField[];
};

const those = (fields: readonly RecordField[], names: readonly RecordFieldName[]): RecordField[] =>
  names.flatMap((name) => fields.filter((field) => field.name === name));

const isPartners = ({ entry }: RecordField) => entry !== null && partnerNumber(entry) !== null;

const nameIn = (fields: readonly RecordField[]): string =>
  fields.find(({ name }) => name === "fullName" || name === "businessName")?.text ?? "";

const SAID = { yes: ["true", "yes", "sim", "s", "y", "1"], no: ["false", "no", "nao", "n", "0"] } as const;

function exposureSaid({ text }: RecordField): boolean | null {
  const word: string = plainName(text);
  if (SAID.yes.some((said) => said === word)) return true;
  return SAID.no.some((said) => said === word) ? false : null;
}

/** True when holder or a partner is politically exposed; null when the answer does not say. */
function exposedIn(fields: readonly RecordField[]): boolean | null {
  const told = fields.filter(({ name }) => name === "isPoliticallyExposedPerson").map(exposureSaid);
  if (told.includes(true)) return true;
  return told.includes(false) ? false : null;
}

/** The reported facts of one account; empty and null mean unknown. */
type ReportedAccount = {
  word: string;
  holder: string;
  userId: string;
  isExposed: boolean | null;
  createdAt: Date | null;
  at: Date;
};

/** An unchanged status is stored again only after this long, as every sweep asks about the newest accounts. */
const REPORTED_AGAIN_MS = 10 * 60_000;

/** The changed fields; null when nothing changed. */
function newsOf(row: AccountRow, { word, holder, userId, isExposed, createdAt, at }: ReportedAccount) {
  const age = row.toldAt === null ? Number.POSITIVE_INFINITY : at.getTime() - row.toldAt.getTime();
  const isStatusNews = word !== "" && age >= 0 && (word !== row.statusWord || age > REPORTED_AGAIN_MS);
  const news = {
    ...(isStatusNews && { statusWord: word, standing: standingOf(word), toldAt: at }),
    ...(holder !== "" && holder !== row.holder && { holder }),
    ...(userId !== "" && userId !== row.userId && { userId }),
    ...(isExposed !== null && isExposed !== row.isExposed && { isExposed }),
    ...(createdAt !== null && row.createdAt === null && { createdAt }),
  };
  return Object.keys(news).length === 0 ? null : news;
}

/** A newer status is kept. Returns whether a list would show a difference. */
async function noteReported(store: Db | Tx, row: AccountRow, reported: ReportedAccount): Promise<boolean> {
  const news = newsOf(row, reported);
  if (news === null) return false;
  await store
    .update(account)
    .set(news)
    .where(
      and(
        eq(account.tenant, row.tenant),
        eq(account.ref, row.ref),
        or(isNull(account.toldAt), lte(account.toldAt, reported.at)),
      ),
    );
  return news.statusWord !== undefined ? news.statusWord !== row.statusWord : true;
}

/** An account as the provider's list shows it; empty and null mean unknown. */
export type ListedAccount = {
  accountId: string;
  branch: string;
  number: string;
  /** In clear; null where it is masked or missing. */
  document: string | null;
  word: string;
  /** Masked. */
  holder: string;
  userId: string;
  isExposed: boolean | null;
  createdAt: Date | null;
};

function listedAccount(entry: unknown): ListedAccount | null {
  const accountId = findIn(entry, "accountId")?.text ?? "";
  if (accountId === "") return null;
  const word = statusWordIn(entry);
  const fields = readFields(entry, KNOWN);
  return {
    accountId,
    branch: findIn(entry, "branch")?.text ?? "",
    number: findIn(entry, "accountNumber")?.text ?? "",
    document: documentIn(entry),
    word: isOfAnswer(word) ? "" : maskWithin(word),
    holder: nameIn(fields),
    userId: userIdIn(entry),
    isExposed: exposedIn(fields),
    createdAt: readInstant(findIn(entry, "createdAt")?.text ?? ""),
  };
}

/** The accounts in an answer of getAccounts, whose shape is not documented (interface: Bank accounts › getAccounts). */
export const accountsIn = (answer: unknown): ListedAccount[] => readList(answer, listedAccount).understood;

/** The first stored row; null without a document. */
function begin(tenant: string, { document, ...listed }: ListedAccount, at: Date) {
  if (document === null) return null;
  const { accountId, branch, number, word, holder, userId, isExposed, createdAt } = listed;
  const ref = randomUUID();
  return {
    ref,
    tenant,
    accountId,
    branch,
    number,
    ...sealDocument({ table: "account", id: ref }, document),
    firstSeenAt: at,
    holder: holder === "" ? null : holder,
    userId: userId === "" ? null : userId,
    isExposed,
    createdAt,
    ...(word !== "" && { statusWord: word, standing: standingOf(word), toldAt: at }),
  };
}

/** Stores the provider's list of accounts; `at` is when it was requested. */
export async function noteAccounts(tenant: string, listed: readonly ListedAccount[], at: Date): Promise<void> {
  const reported = new Map(listed.map((one) => [one.accountId, one]));
  if (reported.size === 0) return;
  const store = await db();
  await store.transaction(async (tx) => {
    const isListed = and(eq(account.tenant, tenant), inArray(account.accountId, [...reported.keys()]));
    const stored = await tx.select().from(account).where(isListed);
    let hasNews = false;
    for (const row of stored) {
      const one = reported.get(row.accountId);
      reported.delete(row.accountId);
      if (one !== undefined && (await noteReported(tx, row, { ...one, at }))) hasNews = true;
    }
    const begun = [...reported.values()].flatMap((one) => begin(tenant, one, at) ?? []);
    if (begun.length > 0) await tx.insert(account).values(begun).onConflictDoNothing();
    if (hasNews || begun.length > 0) await publish(tx, { tenant, topic: "onboarding", object: "accounts" });
  });
}

type ReadBalance = { balance: string | Unread; blockedBalance: string | Unread; status: string; asOf: Date };

const exactOrNull = (amount: string | Unread): string | null => (typeof amount === "string" ? amount : null);

const isOther = (before: string | null, now: string | null): boolean =>
  before !== null && now !== null && amountKey(before) !== amountKey(now);

/** Stores a balance that was read, with its status, unless a newer one is stored. Of another balance than before the statement is due. */
export async function noteBalance(tenant: string, ref: string, read: ReadBalance): Promise<void> {
  const { status, asOf } = read;
  const told = { balance: exactOrNull(read.balance), blockedBalance: exactOrNull(read.blockedBalance) };
  const store = await db();
  const isIt = and(eq(account.tenant, tenant), eq(account.ref, ref));
  await store.transaction(async (tx) => {
    const [before] = await tx.select().from(account).where(isIt).for("update");
    if (before === undefined || (before.balanceAt !== null && before.balanceAt >= asOf)) return;
    await tx
      .update(account)
      .set({ ...told, balanceAt: asOf })
      .where(isIt);
    const hasMoved = isOther(before.balance, told.balance) || isOther(before.blockedBalance, told.blockedBalance);
    if (hasMoved) await noteMoved(tx, tenant, ref);
  });
  if (status === "") return;
  await store
    .update(account)
    .set({ statusWord: status, standing: standingOf(status), toldAt: asOf })
    .where(and(isIt, or(isNull(account.toldAt), lt(account.toldAt, asOf))));
}

type BalanceQuery = { accountId: string; documentNumber: string };

export async function readBalance(
  actor: Actor,
  query: BalanceQuery,
  ref: string,
  how: { isPatient?: boolean; isFirst?: boolean } = {},
) {
  const { answer, asOf } = await provider.get(actor, getBalance, { query, object: `account:${ref}`, ...how });
  const { balance, blockedBalance } = answer.data;
  const word = balanceWordIn(answer);
  const status = maskWithin(word);
  await noteBalance(actor.tenant, ref, { balance, blockedBalance, status, asOf });
  return {
    balance: amountText(balance),
    blockedBalance: amountText(blockedBalance),
    status,
    standing: standingOf(word),
    asOf: asOf.toISOString(),
  };
}

/** Records a completed closing; `object` is `account:` and the reference. */
export async function noteClosed(tx: Tx, { tenant, object, word }: { tenant: string; object: string; word: string }) {
  await tx
    .update(account)
    .set({ standing: "CLOSED", statusWord: word === "" ? null : maskWithin(word), toldAt: sql`clock_timestamp()` })
    .where(and(eq(account.tenant, tenant), eq(account.ref, object.replace("account:", ""))));
}

export async function readAccountRecord(actor: Actor, row: AccountRow): Promise<AccountRecord> {
  const { answer, asOf } = await readInformation({ actor, row });
  const word = statusWordIn(answer);
  const fields = readFields(answer, KNOWN);
  const ofPartners = fields.filter(isPartners);
  const entries = [...new Set(ofPartners.map(({ entry }) => entry))];
  const rest = fields.filter((field) => !isPartners(field));
  const own = rest.filter(({ kind, entry }) => kind !== "link" && entry === null);
  const holder = those(own, HOLDER_FIELDS);
  const name = nameIn(holder);
  const isExposed = exposedIn(fields);
  const userId = userIdIn(answer);
  const reported = { word: maskWithin(word), holder: name, userId, isExposed, createdAt: null, at: asOf };
  await noteReported(await db(), row, reported);
  return {
    word: maskWithin(word),
    standing: standingOf(word),
    isOurWord: isSameStanding(word),
    asOf: asOf.toISOString(),
    name,
    holder,
    account: those(own, ACCOUNT_FIELDS),
    partners: entries.map((entry) => ofPartners.filter((field) => field.entry === entry)),
    documents: rest.filter(({ kind }) => kind === "link"),
    others: rest.filter((field) => field.kind !== "link" && (field.name === null || field.entry !== null)),
  };
}

export async function accountOf(store: Db | Tx, tenant: string, ref: string): Promise<AccountRow> {
  const [row] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.ref, ref)));
  if (row === undefined) throw new AppError("not-found");
  return row;
}

export async function clearRecordField(actor: Actor, ref: string, path: string): Promise<string | null> {
  const row = await accountOf(await db(), actor.tenant, ref);
  const { answer } = await readInformation({ actor, row });
  return clearAt(answer, path, KNOWN);
}

const PIX_KEY = /(?:^|\.)(?:pix_?keys?|chaves?_?pix)(?:\[\d{1,9}\])?(?:\.(?:key|chave|value|valor))?$/i;

/** `isNamed`: the holder and PIX keys in clear. */
export async function readPaperFacts(actor: Actor, row: AccountRow, isNamed: boolean) {
  const { answer, asOf } = await readInformation({ actor, row });
  const word = statusWordIn(answer);
  const keys = readFields(answer, KNOWN).filter(({ path }) => PIX_KEY.test(path));
  return {
    holder: holderIn(answer, isNamed),
    word: maskWithin(word),
    standing: standingOf(word),
    pixKeys: keys.map(({ path, text }) => (isNamed ? (clearAt(answer, path, KNOWN) ?? text) : text)),
    asOf: asOf.toISOString(),
  };
}

function holderIn(answer: unknown, isNamed: boolean): string | null {
  const names = ["fullName", "businessName"] as const;
  const fields = readFields(answer, KNOWN, isNamed ? names : []).filter(({ entry }) => entry === null);
  return those(fields, names)[0]?.text ?? null;
}

export async function readHolderName(actor: Actor, row: AccountRow, isNamed: boolean): Promise<string | null> {
  const { answer } = await readInformation({ actor, row });
  return holderIn(answer, isNamed);
}
