import { getLocale, getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { CSV_START, csvLine } from "@/lib/text/csv";
import { formatClock, formatDate, formatTime, isDecimal, type Locale } from "@/lib/text/format";
import { sha256 } from "@/lib/text/hash";
import { dayOf } from "@/lib/text/time";
import { isUnknown, providerText } from "@/lib/text/typed";
import { isBooked, isSought, pagesOf } from "./sift";
import { type AccountRow, readHoldings } from "./standing";
import type { Asking, Statement, StatementRow } from "./statement";

type Row = Statement["rows"][number];

async function* entriesOf(actor: Actor, asking: Asking): AsyncGenerator<Row[]> {
  for await (const { rows, doubts } of pagesOf(actor, asking)) {
    // A file that may lack entries must not look whole.
    if (doubts.some((doubt) => doubt !== "total")) throw new BankError("malformed", { code: "statement-incomplete" });
    yield rows.filter((row) => isSought(row, asking.filter));
  }
}

const signed = ({ amount, direction }: StatementRow): string | null =>
  direction === null ? null : `${direction === "DEBIT" ? "-" : ""}${amount.replace("-", "")}`;

const COLUMNS = ["date", "time", "description", "type", "direction", "amount", "status", "id", "asTold"] as const;

export type CsvWords = {
  locale: Locale;
  header: string[];
  typeOf: (row: StatementRow) => string;
  directionOf: (row: StatementRow) => string;
};

export async function csvWords(): Promise<CsvWords> {
  const [t, locale] = await Promise.all([getTranslations(), getLocale()]);
  return {
    locale,
    header: COLUMNS.map((column) => t(`statement.csv.${column}`)),
    typeOf: ({ type }) => (isUnknown(type) ? providerText(type) : t(`accounts.entryTypes.${type}`)),
    directionOf: ({ direction, directionWord }) =>
      direction === null ? directionWord : t(direction === "CREDIT" ? "statement.in" : "statement.out"),
  };
}

const comma = (decimal: string) => decimal.replace(".", ",");

function csvOf(row: Row, { locale, typeOf, directionOf }: CsvWords): string {
  if ("fields" in row) {
    const told = row.fields.map(({ path, value }) => `${path}: ${value}`).join("; ");
    return csvLine([...COLUMNS.slice(1).map(() => null), told]);
  }
  const amount = signed(row);
  return csvLine([
    formatDate(row.date, locale),
    formatClock(row.date, locale),
    row.description,
    typeOf(row),
    directionOf(row),
    amount === null ? null : comma(amount),
    row.status,
    row.transactionId,
    amount === null ? `${row.amount} ${row.directionWord}`.trim() : null,
  ]);
}

export async function* csvParts(actor: Actor, asking: Asking, words: CsvWords): AsyncGenerator<string> {
  yield CSV_START + csvLine(words.header);
  for await (const rows of entriesOf(actor, asking)) yield rows.map((row) => csvOf(row, words)).join("");
}

const HEADER = [
  "OFXHEADER:100",
  "DATA:OFXSGML",
  "VERSION:102",
  "SECURITY:NONE",
  "ENCODING:USASCII",
  "CHARSET:1252",
  "COMPRESSION:NONE",
  "OLDFILEUID:NONE",
  "NEWFILEUID:NONE",
  "",
  "",
].join("\r\n");

/** What the file's one-byte letters cannot say loses its marks, or becomes a question mark; what is markup becomes text. */
function ofxText(text: string, most: number): string {
  const oneByte = Array.from(text.normalize("NFC"), (sign) => {
    if (/[\u0020-\u007e\u00a1-\u00ff]/.test(sign)) return sign;
    return sign.trim() === "" ? " " : sign.normalize("NFD").replaceAll(/[^\u0020-\u007e]/g, "") || "?";
  });
  const short = oneByte.join("").trim().slice(0, most);
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const tag = (name: string, value: string) => `<${name}>${value}</${name}>\r\n`;

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

function ofxTime(iso: string): string {
  const day = digitsOf(dayOf(iso)).slice(0, 8);
  if (day.length !== 8) throw new BankError("malformed", { code: "statement-undated" });
  return `${day}${formatClock(iso, "pt-BR") === "" ? "120000" : digitsOf(formatTime(iso, "pt-BR"))}[-3:BRT]`;
}

/** As long as the provider says the same of an entry it is called the same, in whichever file and period it stands. */
const fitidOf = ({ transactionId, date, type, direction, amount, description }: StatementRow): string => {
  const hash = sha256([transactionId, date, type, direction, amount, description].join("\n")).slice(0, 12);
  return transactionId === "" ? hash : `${ofxText(transactionId, 120)}-${hash}`;
};

function ofxEntry(row: StatementRow, fitid: string): string {
  const amount = signed(row);
  if (amount === null || !isDecimal(amount)) throw new BankError("malformed", { code: "statement-undirected" });
  const kind = row.type === "FEE" && row.direction === "DEBIT" ? "FEE" : row.direction;
  const memo = row.description === "" ? providerText(row.type) : row.description;
  return [
    "<STMTTRN>\r\n",
    tag("TRNTYPE", kind ?? "OTHER"),
    tag("DTPOSTED", ofxTime(row.date)),
    tag("TRNAMT", amount),
    tag("FITID", fitid),
    tag("MEMO", ofxText(memo, 255)),
    "</STMTTRN>\r\n",
  ].join("");
}

/** The provider does not tell which bank keeps the account; a file must say one. */
const BANK_UNTOLD = "000";

const latin1 = (text: string) => Buffer.from(text, "latin1");

async function* ofxOf(
  actor: Actor,
  asking: Asking,
  [head, end]: readonly [string, string],
): AsyncGenerator<Uint8Array> {
  yield latin1(head);
  // Two entries of one day that say the same are told apart by their order; others are by what they say.
  let seen = { day: "", times: new Map<string, number>() };
  for await (const rows of entriesOf(actor, asking)) {
    let text = "";
    for (const row of rows) {
      if ("fields" in row) throw new BankError("malformed", { code: "statement-unread" });
      if (!isBooked(row)) continue;
      const day = dayOf(row.date);
      if (day !== seen.day) seen = { day, times: new Map() };
      const fitid = fitidOf(row);
      const times = (seen.times.get(fitid) ?? 0) + 1;
      seen.times.set(fitid, times);
      text += ofxEntry(row, times === 1 ? fitid : `${fitid}-${times}`);
    }
    yield latin1(text);
  }
  yield latin1(end);
}

export async function ofxParts(actor: Actor, row: AccountRow, asking: Asking): Promise<AsyncGenerator<Uint8Array>> {
  const { balance, asOf } = await readHoldings({ actor, row });
  const { from, to } = asking.filter;
  const status = `<STATUS>${tag("CODE", "0")}${tag("SEVERITY", "INFO")}</STATUS>\r\n`;
  const head = [
    HEADER,
    `<OFX>\r\n<SIGNONMSGSRSV1><SONRS>${status}`,
    tag("DTSERVER", ofxTime(asOf)),
    tag("LANGUAGE", "POR"),
    "</SONRS></SIGNONMSGSRSV1>\r\n<BANKMSGSRSV1><STMTTRNRS>\r\n",
    tag("TRNUID", "0"),
    `${status}<STMTRS>\r\n`,
    tag("CURDEF", "BRL"),
    "<BANKACCTFROM>\r\n",
    tag("BANKID", BANK_UNTOLD),
    tag("BRANCHID", ofxText(row.branch, 22)),
    tag("ACCTID", ofxText(row.number, 22)),
    tag("ACCTTYPE", "CHECKING"),
    "</BANKACCTFROM>\r\n<BANKTRANLIST>\r\n",
    tag("DTSTART", `${digitsOf(from)}000000[-3:BRT]`),
    tag("DTEND", `${digitsOf(to)}235959[-3:BRT]`),
  ];
  const end = [
    "</BANKTRANLIST>\r\n<LEDGERBAL>\r\n",
    tag("BALAMT", balance),
    tag("DTASOF", ofxTime(asOf)),
    "</LEDGERBAL>\r\n</STMTRS></STMTTRNRS></BANKMSGSRSV1>\r\n</OFX>\r\n",
  ];
  return ofxOf(actor, asking, [head.join(""), end.join("")]);
}
