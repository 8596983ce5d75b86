import type { Actor } from "@/lib/permission/grant";
import type { ExternalTransfer } from "@/lib/contract/accounts";
import { isCnpj, isCpf, maskDocument } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { provider } from "@/lib/provider/client";
import { getTransaction } from "@/lib/provider/operations";
import { type KnownFields, maskNameWithin, readFields, type ReportedField } from "@/lib/text/reported-fields";
import { entryDirection, type EntryQuery } from "./inputs";
import { type EntryFieldName, entryText } from "./view";
import { getLocale, getTranslations } from "next-intl/server";
import { letterheadOf } from "@/lib/pdf/letterhead";
import { Paper } from "@/lib/pdf/document";
import { bankOfIspb } from "@/lib/text/banks";
import { formatBrl, formatDate, formatDateTime, formatTime, isDecimal } from "@/lib/text/format";
import { maskName } from "@/lib/text/masks";
import { isBooked, readHolderName } from "./records";
import type { AccountRow } from "./standing";
import { type EntryCounterparty, findOrderedTed } from "./transfer-of-entry";

const KNOWN: KnownFields<EntryFieldName> = {
  transactionId: { aliases: ["idTransacao", "transacaoId"], as: "open" },
  endToEndId: { aliases: ["e2eId", "e2e", "endToEnd", "idEndToEnd", "idE2e", "pixEndToEndId"], as: "open" },
  status: { aliases: ["situacao", "estado"], as: "open" },
  type: { aliases: ["tipo"], as: "open" },
  direction: { aliases: ["sentido"], as: "open" },
  amount: { aliases: ["valor", "value"], as: "open" },
  date: { aliases: ["data", "createdAt", "criadoEm"], as: "time" },
  description: { aliases: ["descricao"], as: "open" },
  name: { aliases: ["fullName", "holderName", "nome", "nomeCompleto", "nomeTitular"], as: "name" },
  documentNumber: { aliases: ["document", "documento", "numeroDocumento", "cpf", "cnpj", "cpfCnpj"], as: "document" },
  bankName: { aliases: ["institutionName", "nomeBanco", "banco", "instituicao"], as: "open" },
  institutionCode: { aliases: ["bankCode", "codigoBanco"], as: "open" },
  institutionIspb: { aliases: ["ispb"], as: "open" },
  branch: { aliases: ["branchCode", "agencia"], as: "open" },
  account: { aliases: ["accountCode", "accountNumber", "numeroConta", "conta"], as: "open" },
  bankAccountType: { aliases: ["accountType", "tipoConta"], as: "open" },
  accountId: { aliases: ["idConta", "contaId"], as: "open" },
  antifraudId: { aliases: ["idAntifraude"], as: "open" },
  pendingExpiresAt: { aliases: ["expiraEm"], as: "time" },
  decidedAt: { aliases: ["decididoEm"], as: "time" },
};

const COUNTERPARTY =
  /(?:^|\.)(?:counter_?party|contra_?parte|payer|payee|pagador|recebedor|favorecido|beneficiario|beneficiary|destinatario|remetente|recipient|sender|origem|destino)(?:\.|\[)/i;

export type EntryField = ReportedField<EntryFieldName>;

export type EntryDetail = {
  entry: EntryField[];
  counterparty: EntryField[];
  others: EntryField[];
  asOf: string;
};

type Asking = { documentNumber: string; object: string } & EntryQuery;

function askTransaction(actor: Actor, { documentNumber, object, transaction, direction }: Asking) {
  // Within one holder's two accounts both sides match, so the credit is requested explicitly.
  const cashIn = direction === "CREDIT" ? "true" : undefined;
  return provider.get(actor, getTransaction, { object, query: { transactionId: transaction, documentNumber, cashIn } });
}

const isOther = ({ name }: EntryField) => name === null;
const isCounterparty = ({ path, name }: EntryField) => name !== null && COUNTERPARTY.test(path);

const of = (fields: readonly EntryField[], name: EntryFieldName): string | null =>
  fields.find((field) => field.name === name)?.text ?? null;

function directionOf(entry: readonly EntryField[]) {
  const told = of(entry, "direction");
  return told === null ? null : entryDirection(told);
}

function detailOf({ answer, asOf }: Awaited<ReturnType<typeof askTransaction>>, isNamed: boolean): EntryDetail {
  const fields = readFields(answer, KNOWN, isNamed ? ["name"] : []);
  return {
    entry: fields.filter((field) => !isOther(field) && !isCounterparty(field)),
    counterparty: fields.filter(isCounterparty),
    others: fields.filter(isOther),
    asOf: asOf.toISOString(),
  };
}

/** Masked; a file with names (`isNamed`) shows the other side's name in clear, but never its document. */
export async function readEntry(actor: Actor, asking: Asking, isNamed = false): Promise<EntryDetail> {
  return detailOf(await askTransaction(actor, asking), isNamed);
}

/** Masked, and whom it names on its other side, in clear for the store alone. */
export async function readEntryAndCounterparty(actor: Actor, asking: Asking) {
  const read = await askTransaction(actor, asking);
  const inClear = readFields(read.answer, KNOWN, ["documentNumber", "accountId"]).filter(isCounterparty);
  const document = normaliseDocument(of(inClear, "documentNumber") ?? "");
  const counterparty: EntryCounterparty = {
    document: isCpf(document) || isCnpj(document) ? document : null,
    accountId: of(inClear, "accountId"),
  };
  const detail = detailOf(read, false);
  return { detail, counterparty, direction: directionOf(detail.entry) ?? asking.direction ?? null };
}

export type Party = {
  name: string | null;
  document: string | null;
  bank: string | null;
  branch: string | null;
  account: string | null;
  isAsOrdered: boolean;
};

export type Receipt = {
  transactionId: string;
  endToEndId: string | null;
  type: string;
  amount: string;
  date: string;
  description: string | null;
  status: string;
  isBooked: boolean;
  /** Null when it is unknown who paid. */
  direction: "CREDIT" | "DEBIT" | null;
  holder: Party;
  counterparty: Party;
  asOf: string;
};

const PARTS = ["name", "document", "bank", "branch", "account"] as const;

type ReceiptRequest = { row: AccountRow; documentNumber: string; mask: string } & EntryQuery;

type Bank = Record<"name" | "code" | "ispb", string | null>;

function bankText({ name, code, ispb }: Bank): string | null {
  const parts = [name, code?.padStart(3, "0"), ispb === null ? null : `ISPB ${ispb}`];
  const words = parts.filter((word) => word !== null && word !== undefined);
  return words.length === 0 ? null : words.join(" · ");
}

const toldParty = (fields: readonly EntryField[]): Party => ({
  name: of(fields, "name"),
  document: of(fields, "documentNumber"),
  bank: bankText({
    name: of(fields, "bankName"),
    code: of(fields, "institutionCode"),
    ispb: of(fields, "institutionIspb"),
  }),
  branch: of(fields, "branch"),
  account: of(fields, "account"),
  isAsOrdered: false,
});

function orderedParty(ordered: ExternalTransfer, isNamed: boolean): Party {
  const { name, document, institutionIspb: ispb, institutionCode, branchCode, accountCode } = ordered;
  return {
    name: isNamed ? name : maskName(name),
    document: maskDocument(document),
    bank: bankText({ name: bankOfIspb(ispb)?.name ?? null, code: String(institutionCode), ispb }),
    branch: branchCode,
    account: accountCode,
    isAsOrdered: true,
  };
}

/**
 * One payment with both sides: names by initials, or in clear for a file with an audited reason; documents always
 * masked.
 */
export async function readReceipt(actor: Actor, reading: ReceiptRequest, isNamed: boolean): Promise<Receipt> {
  const { row, mask, transaction } = reading;
  const [detail, holder] = await Promise.all([
    readEntry(actor, { ...reading, object: `account:${row.ref}` }, isNamed),
    readHolderName(actor, row, true),
  ]);
  const { entry, counterparty, asOf } = detail;
  const status = of(entry, "status") ?? "";
  const description = of(entry, "description");
  const direction = directionOf(entry) ?? reading.direction ?? null;
  const told = toldParty(counterparty);
  const isNobodyTold = PARTS.every((part) => told[part] === null);
  const ordered = direction === "DEBIT" && isNobodyTold ? await findOrderedTed(row, transaction) : null;
  const hidden = isNamed ? [] : [holder, ordered?.name].filter((name) => name !== null && name !== undefined);
  return {
    transactionId: of(entry, "transactionId") ?? transaction,
    endToEndId: of(entry, "endToEndId"),
    type: of(entry, "type") ?? "",
    amount: (of(entry, "amount") ?? "").replace(/^-/, ""),
    date: of(entry, "date") ?? "",
    description: description === null ? null : hidden.reduce(maskNameWithin, description),
    status,
    isBooked: isBooked({ status }),
    direction,
    holder: {
      name: isNamed || holder === null ? holder : maskName(holder),
      document: mask,
      bank: null,
      branch: row.branch,
      account: row.number,
      isAsOrdered: false,
    },
    counterparty: ordered === null ? told : orderedParty(ordered, isNamed),
    asOf,
  };
}

const sidesOf = ({ direction, holder, counterparty }: Receipt): [payer: Party, payee: Party] | null =>
  direction === null ? null : direction === "DEBIT" ? [holder, counterparty] : [counterparty, holder];

export const receiptParts = (party: Party) =>
  PARTS.map((part) => ({ part, text: party[part] ?? "" })).filter(({ part, text }) => part === "name" || text !== "");

export async function printReceipt(tenant: string, receipt: Receipt, printedAt: Date): Promise<Buffer> {
  const [letterhead, say, words, locale] = await Promise.all([
    letterheadOf(tenant),
    getTranslations("receipt"),
    getTranslations("statement.words"),
    getLocale(),
  ]);
  const { transactionId, endToEndId, type, amount, date, description, status } = receipt;
  const title = say("title");
  const paper = await Paper.open({
    title,
    language: locale,
    printedAt,
    footer: (page, pages) => say("footer", { id: transactionId, page, pages: pages ?? page }),
  });
  paper.letterhead(letterhead);
  paper.title(isDecimal(amount) ? formatBrl(amount, locale) : amount, `${title} · ${formatDateTime(date, locale)}`);
  const sides = sidesOf(receipt);
  const named = ["payer", "payee"] as const;
  const parties =
    sides === null
      ? ([
          ["holder", receipt.holder],
          ["counterparty", receipt.counterparty],
        ] as const)
      : named.map((name, at) => [name, sides[at] ?? receipt.counterparty] as const);
  for (const [name, party] of parties) {
    paper.heading(say(name));
    for (const { part, text } of receiptParts(party))
      paper.fact(say(`parts.${part}`), text === "" ? say("untold") : text);
    if (party.isAsOrdered) paper.quiet(say("asOrdered"));
  }
  paper.heading(say("transaction"));
  if (type !== "") paper.fact(say("type"), entryText("type", type, words));
  if (status !== "") paper.fact(say("status"), entryText("status", status, words));
  if (description !== null) paper.fact(say("description"), description);
  paper.fact(say("id"), transactionId, { face: "mono", size: 8 });
  if (endToEndId !== null) paper.fact(say("endToEndId"), endToEndId, { face: "mono", size: 8 });
  const at = printedAt.toISOString();
  paper.space();
  paper.quiet(say("issued", { day: formatDate(at, locale), time: formatTime(at, locale) }));
  return paper.end();
}
