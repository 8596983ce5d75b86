import { getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { fold } from "@/lib/contract/signs";
import { idKey } from "@/lib/contract/identity";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { formatTime, isToTheCent } from "@/lib/text/format";
import { sha256 } from "@/lib/text/decode";
import { civilDay, civilInstant, minutesAhead, readIso } from "@/lib/text/time";
import { providerText } from "@/lib/text/provider-word";
import { tenantOf } from "@/lib/settings/env";
import { isBooked } from "./records";
import { unwritableFor } from "./search-statement";
import { type AccountRow, readHoldings } from "./standing";
import type { Asking, StatementRow } from "./statement";
import { type AnyRow, entriesOf, signed } from "./export";

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

/** Windows-1252 characters by byte, where Latin-1 has controls. */
const OF_WINDOWS = new Map(
  Array.from("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ", (sign, at) => [sign, 0x80 + at] as const),
);

/** Characters beyond the file's encoding lose their accents or become a question mark; markup is escaped. */
function ofxText(text: string, most: number): string {
  const oneByte = Array.from(text.normalize("NFC"), (sign) => {
    if (/[\u0020-\u007e\u00a1-\u00ff]/.test(sign)) return sign;
    if (!/\p{C}/u.test(sign) && OF_WINDOWS.has(sign)) return sign;
    const plain = fold(sign)
      .normalize("NFD")
      .replaceAll(/[^\u0020-\u007e]/g, "");
    return plain === "" && !/[\p{M}\p{C}]/u.test(sign) ? "?" : plain;
  });
  const short = oneByte.join("").trim().slice(0, most);
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const tag = (name: string, value: string) => `<${name}>${value}</${name}>\r\n`;

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

/** With São Paulo's offset at that time, which differed in summers until 2019. */
function ofxInstant(instant: Date): string {
  const ahead = minutesAhead(instant) / 60;
  const iso = instant.toISOString();
  return `${digitsOf(civilDay(instant))}${digitsOf(formatTime(iso, "pt-BR"))}[${ahead}:${ahead === -2 ? "BRST" : "BRT"}]`;
}

function ofxTime(iso: string): string {
  const read = readIso(iso);
  if (read === null) throw new AppError("malformed", { code: "statement-undated" });
  return ofxInstant(read.isDay ? civilInstant(`${iso}T12:00:00`) : new Date(read.ms));
}

const dayOf = ({ date }: StatementRow): string => {
  const read = readIso(date);
  return read === null || read.isDay ? date : civilDay(new Date(read.ms));
};

const textsOf = ({ type, description }: StatementRow): string[] => [idKey(type), idKey(description)];

/** From an entry's constant fields; two entries may share an id. `times`: which of several equal ones. */
function fitidOf(row: StatementRow, accountId: string, times: number): string {
  const id = idKey(row.transactionId);
  const moved = [row.direction, decimalOf(unitsOf(row.amount))];
  const said = id === "" ? [row.date, ...moved, ...textsOf(row)] : [id, dayOf(row), ...moved];
  const hash = sha256([accountId, ...said, times].join("\n")).slice(0, 16);
  return /^[\w.:-]{1,100}$/.test(id) ? `${id}-${hash}` : hash;
}

const orderOf = (row: StatementRow): string => [row.date, ...textsOf(row)].join("\n");

/** For the entries of one day, in any order of arrival. */
function fitidsOf(
  rows: readonly StatementRow[],
  accountId: string,
  seen: Map<string, number>,
): ReadonlyMap<StatementRow, string> {
  const sorted = rows.toSorted(
    (one, other) => Number(orderOf(one) > orderOf(other)) - Number(orderOf(one) < orderOf(other)),
  );
  return new Map(
    sorted.map((row) => {
      const first = fitidOf(row, accountId, 1);
      const times = (seen.get(first) ?? 0) + 1;
      seen.set(first, times);
      return [row, times === 1 ? first : fitidOf(row, accountId, times)];
    }),
  );
}

function ofxEntry(row: StatementRow, fitid: string, asTold: string): string {
  const amount = signed(row) ?? row.amount;
  const kind = row.type === "FEE" && row.direction === "DEBIT" ? "FEE" : row.direction;
  const text = row.description === "" ? providerText(row.type) : row.description;
  const memo = isToTheCent(row.amount) ? text : `R$ ${row.amount} (${asTold}): ${text}`;
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

/** The provider does not name the account's bank, and the file must. */
const BANK_UNTOLD = "000";

const windows1252 = (text: string) =>
  Uint8Array.from(Array.from(text, (sign) => OF_WINDOWS.get(sign) ?? sign.charCodeAt(0)));

const NAMED_MAX = 10;

type OfxFrame = {
  head: string;
  end: (note: string) => string;
  leftOut: (count: number, missing: readonly AnyRow[]) => string;
  asTold: string;
};

export type OfxWriter = {
  head: () => Uint8Array;
  page: (rows: readonly AnyRow[]) => Uint8Array;
  end: () => Uint8Array;
};

function ofxWriter(accountId: string, { head, end, leftOut, asTold }: OfxFrame): OfxWriter {
  const seen = new Map<string, number>();
  const missing: AnyRow[] = [];
  let count = 0;
  let ofDay: StatementRow[] = [];
  const dayText = (): string => {
    const fitids = fitidsOf(ofDay, accountId, seen);
    const text = ofDay.map((row) => ofxEntry(row, fitids.get(row) ?? "", asTold)).join("");
    ofDay = [];
    return text;
  };
  return {
    head: () => windows1252(head),
    page(rows) {
      let text = "";
      for (const row of rows) {
        if (unwritableFor(row) !== null) {
          count += 1;
          if (missing.length < NAMED_MAX) missing.push(row);
        } else if (!("fields" in row) && isBooked(row)) {
          const [first = row] = ofDay;
          if (dayOf(first) !== dayOf(row)) text += dayText();
          ofDay.push(row);
        }
      }
      return windows1252(text);
    },
    end() {
      const note = count === 0 ? "" : tag("MKTGINFO", ofxText(leftOut(count, missing), 2_000));
      return windows1252(`${dayText()}${end(note)}`);
    },
  };
}

const toldOf = (row: AnyRow): string =>
  "fields" in row
    ? row.fields.map(({ path, value }) => `${path}: ${value}`).join(", ")
    : [row.date, row.amount, row.directionWord, row.description, row.transactionId]
        .filter((text) => text !== "")
        .join(" ");

/** `leftOut`: entries that OFX cannot express; `asTold`: an amount finer than a cent. */
export type OfxWords = { leftOut: (count: number) => string; asTold: string };

export async function openOfx(
  actor: Actor,
  row: AccountRow,
  { filter, asked }: Asking,
  { leftOut, asTold }: OfxWords,
): Promise<OfxWriter> {
  const { balance, blockedBalance, asOf } = await readHoldings({ actor, row });
  // A held amount is still in the account: no entry of the statement has taken it.
  const ledger = decimalOf(unitsOf(balance) + unitsOf(blockedBalance));
  const balanceOf = (name: "LEDGERBAL" | "AVAILBAL", amount: string) =>
    `<${name}>\r\n${tag("BALAMT", amount)}${tag("DTASOF", ofxTime(asOf))}</${name}>\r\n`;
  const { from, to } = filter;
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
    tag("BANKID", tenantOf(row.tenant)?.company?.bankId ?? BANK_UNTOLD),
    ...(row.branch === "" ? [] : [tag("BRANCHID", ofxText(row.branch, 22))]),
    tag("ACCTID", ofxText(row.number === "" ? row.accountId.replaceAll("-", "") : row.number, 22)),
    tag("ACCTTYPE", "CHECKING"),
    "</BANKACCTFROM>\r\n<BANKTRANLIST>\r\n",
    tag("DTSTART", ofxInstant(civilInstant(`${from}T00:00:00`))),
    tag("DTEND", ofxInstant(civilInstant(`${to}T23:59:59`))),
  ];
  const named = (count: number, missing: readonly AnyRow[]) => [leftOut(count), ...missing.map(toldOf)].join(" | ");
  const end = (note: string) =>
    [
      "</BANKTRANLIST>\r\n",
      balanceOf("LEDGERBAL", ledger),
      balanceOf("AVAILBAL", balance),
      `${note}</STMTRS></STMTTRNRS></BANKMSGSRSV1>\r\n</OFX>\r\n`,
    ].join("");
  return ofxWriter(asked.accountId, { head: head.join(""), end, leftOut: named, asTold });
}

async function* ofxOf(writer: OfxWriter, pages: AsyncGenerator<AnyRow[]>): AsyncGenerator<Uint8Array> {
  yield writer.head();
  for await (const rows of pages) yield writer.page(rows);
  yield writer.end();
}

export async function ofxParts(actor: Actor, row: AccountRow, asking: Asking): Promise<AsyncGenerator<Uint8Array>> {
  const say = await getTranslations("statement");
  const writer = await openOfx(actor, row, asking, {
    leftOut: (count) => say("ofx.leftOut", { count }),
    asTold: say("ofx.asTold"),
  });
  return ofxOf(writer, entriesOf(actor, asking));
}
