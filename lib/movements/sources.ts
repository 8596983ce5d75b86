import { createTranslator } from "next-intl";
import { type MovementRow, openMovements } from "@/lib/accounts/queries";
import { isBooked } from "@/lib/accounts/records";
import type { Actor } from "@/lib/permission/grant";
import { csvLine } from "@/lib/text/csv";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { dayOf } from "@/lib/text/time";
import en from "@/messages/en.json";
import ptBR from "@/messages/pt-BR.json";
import type { movementExport } from "@/lib/db/tables/movements";
import type { SourceKind, Totals } from "@/lib/db/enums/movements";

type Export = typeof movementExport.$inferSelect;

/** `amount` without its sign; null where no direction or no amount is told, or the entry is not booked. */
export type Counted = { asset: string; moved: { side: "in" | "out"; amount: string } | null };
export type Part = { bytes: Uint8Array; counted: readonly Counted[] };

/** `fileName`: within a zip. Throws `AppError`. */
export type Reading = { fileName: string; parts: AsyncGenerator<Part> };

const REAIS = "BRL";

/** Documented in `docs/movements.md`: never renamed, only added to. */
export const CSV_COLUMNS = [
  "source",
  "source_id",
  "branch",
  "number",
  "asset",
  "network",
  "date",
  "at",
  "direction",
  "amount",
  "booked",
  "type",
  "status",
  "transaction_id",
  "description",
  "as_told",
] as const;

function countedOf(row: MovementRow): Counted {
  if ("fields" in row || row.direction === null || !isBooked(row) || !isDecimal(row.amount))
    return { asset: REAIS, moved: null };
  const side = row.direction === "CREDIT" ? "in" : "out";
  return { asset: REAIS, moved: { side, amount: row.amount.replace("-", "") } };
}

type Holder = { ref: string; branch: string; number: string };

function accountLine(row: MovementRow, { ref, branch, number }: Holder): string {
  const whose = ["account", ref, branch, number, REAIS, null];
  if ("fields" in row) {
    const told = row.fields.map(({ path, value }) => `${path}: ${value}`).join("; ");
    return csvLine(
      [...whose, ...Array.from({ length: CSV_COLUMNS.length - whose.length - 1 }, () => null), told],
      "en",
    );
  }
  const { direction, directionWord, amount, date, type, status, transactionId, description } = row;
  const isExact = direction !== null && isDecimal(amount);
  return csvLine(
    [
      ...whose,
      dayOf(date),
      date,
      direction === null ? null : direction === "CREDIT" ? "in" : "out",
      isExact ? amount.replace("-", "") : null,
      isBooked(row) ? "yes" : "no",
      type,
      status,
      transactionId,
      description,
      isExact ? null : `${amount} ${directionWord}`.trim(),
    ],
    "en",
  );
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function readAccount(actor: Actor, ref: string, wanted: Export): Promise<Reading> {
  const { row, pages, ofx } = await openMovements(actor, ref, { from: wanted.fromDay, to: wanted.toDay });
  const fileName = `${row.branch}-${row.number}`.replaceAll(/[^\w-]+/g, "");
  async function* csvParts(): AsyncGenerator<Part> {
    for await (const rows of pages())
      yield { bytes: bytesOf(rows.map((one) => accountLine(one, row)).join("")), counted: rows.map(countedOf) };
  }
  async function* ofxParts(): AsyncGenerator<Part> {
    const { locale } = wanted;
    const say = createTranslator({ locale, messages: locale === "en" ? en : ptBR, namespace: "statement" });
    const writer = await ofx((count) => say("ofx.leftOut", { count }));
    yield { bytes: writer.head(), counted: [] };
    for await (const rows of pages()) yield { bytes: writer.page(rows), counted: rows.map(countedOf) };
    yield { bytes: writer.end(), counted: [] };
  }
  return { fileName, parts: wanted.format === "csv" ? csvParts() : ofxParts() };
}

/** How each kind of source is read; a new kind is a row here. */
export const READERS: Readonly<Record<SourceKind, (actor: Actor, ref: string, wanted: Export) => Promise<Reading>>> = {
  account: readAccount,
};

type Units = { count: number; unsigned: number; in: bigint; out: bigint };

/** Control totals by asset, exact. */
export function controlTotals() {
  const assets = new Map<string, Units>();
  const of = (asset: string): Units => {
    const known = assets.get(asset) ?? { count: 0, unsigned: 0, in: 0n, out: 0n };
    assets.set(asset, known);
    return known;
  };
  return {
    count({ asset, moved }: Counted): void {
      const totals = of(asset);
      totals.count += 1;
      if (moved === null) totals.unsigned += 1;
      else totals[moved.side] += unitsOf(moved.amount);
    },
    join(other: Totals): void {
      for (const [asset, one] of Object.entries(other)) {
        const totals = of(asset);
        totals.count += one.count;
        totals.unsigned += one.unsigned;
        totals.in += unitsOf(one.in);
        totals.out += unitsOf(one.out);
      }
    },
    totals: (): Totals =>
      Object.fromEntries(
        [...assets].map(([asset, { count, unsigned, ...sums }]) => [
          asset,
          { count, unsigned, in: decimalOf(sums.in), out: decimalOf(sums.out) },
        ]),
      ),
  };
}
