import { and, eq, inArray, or, sql } from "drizzle-orm";
import { invalidField } from "@/lib/errors/app-error";
import type { Db } from "@/lib/db/connection";
import type { Judged } from "@/lib/db/slices";
import { wallet } from "@/lib/db/tables/wallets";
import { type CsvRow, hasColumns, readCsv } from "@/lib/text/csv";
import { pastedAddress } from "./inputs";

const HEADERS: ReadonlySet<string> = new Set(["wallet", "address", "id", "carteira", "endereço", "endereco"]);

type NamedWallet = { id: string; address: string; family: string; userId: string | null };

/** The rows of a file that names a wallet in its first column, without the header. */
export function walletRows(csv: string): CsvRow[] {
  const [first, ...others] = readCsv(csv).rows;
  const isHeader = HEADERS.has((first?.cells[0] ?? "").toLowerCase());
  const given = first === undefined || isHeader ? others : [first, ...others];
  if (given.length === 0) throw invalidField("csv", "no-rows");
  return given;
}

const addressOf = (name: string) => pastedAddress(name).toLowerCase();

/** By id or by address; an address of several wallets names them all. */
async function findNamed(store: Db, tenant: string, names: readonly string[]) {
  const { id, address, family, userId } = wallet;
  const isNamed = or(inArray(id, [...names]), inArray(sql`lower(${address})`, names.map(addressOf)));
  const found: NamedWallet[] = await store
    .select({ id, address, family, userId })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), isNamed));
  return (name: string): NamedWallet[] => {
    const byId = found.filter((one) => one.id === name);
    return byId.length > 0 ? byId : found.filter((one) => one.address.toLowerCase() === addressOf(name));
  };
}

const ROWS_AT_ONCE = 100;

type Unnamed = "unknown-wallet" | "many-wallets" | "repeated" | "bad-columns";

type Columns = { least: number; most: number };

/** In batches, without a lock; `judge` gets the cells after the name. Only a wallet's first order counts. */
export async function judgeRows<Ordered, Refused extends string>(
  { store, tenant, least, most }: { store: Db; tenant: string } & Columns,
  given: readonly CsvRow[],
  judge: (named: NamedWallet, others: readonly string[]) => Judged<Ordered, Refused>,
): Promise<Judged<Ordered, Refused | Unnamed>[]> {
  const ordered = new Set<string>();
  const judgeOne = ([found, ...more]: readonly NamedWallet[], others: readonly string[]) => {
    if (found === undefined) return { outcome: "unknown-wallet" as const };
    if (more.length > 0) return { outcome: "many-wallets" as const };
    if (ordered.has(found.id)) return { outcome: "repeated" as const };
    const judged = judge(found, others);
    if ("order" in judged) ordered.add(found.id);
    return judged;
  };
  const judged: Judged<Ordered, Refused | Unnamed>[] = [];
  for (let at = 0; at < given.length; at += ROWS_AT_ONCE) {
    const rows = given.slice(at, at + ROWS_AT_ONCE);
    const names = rows.map(({ cells: [name = ""] }) => name);
    const named = await findNamed(store, tenant, names);
    judged.push(
      ...rows.map((row) => {
        const [name = "", ...others] = row.cells;
        return hasColumns(row, least, most) ? judgeOne(named(name), others) : { outcome: "bad-columns" as const };
      }),
    );
  }
  return judged;
}
