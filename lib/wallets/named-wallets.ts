import { and, eq, inArray, or, sql } from "drizzle-orm";
import { AppError } from "@/lib/errors/app-error";
import type { Tx } from "@/lib/db/connection";
import { wallet } from "@/lib/db/tables/wallets";
import { csvRows } from "@/lib/text/csv";
import { addressIn } from "./inputs";

const ROWS_MAX = 5_000;

const HEADERS: ReadonlySet<string> = new Set(["wallet", "address", "id", "carteira", "endereço", "endereco"]);

type NamedWallet = { id: string; address: string; family: string };

/** The rows of a file that names a wallet in its first column, without the names of its columns. */
export function walletRows(csv: string): { line: number; cells: string[] }[] {
  const [first, ...others] = csvRows(csv);
  if (first === undefined) throw new AppError("invalid");
  const isHeader = HEADERS.has((first.cells[0] ?? "").toLowerCase());
  const given = isHeader ? others : [first, ...others];
  if (given.length > ROWS_MAX) throw new AppError("invalid", { code: "file-too-large" });
  return given;
}

const addressOf = (name: string) => addressIn(name).toLowerCase();

/** By id or by address; an address that several wallets have names none of them. */
export async function findNamed(tx: Tx, tenant: string, names: readonly string[]) {
  const isNamed = or(inArray(wallet.id, [...names]), inArray(sql`lower(${wallet.address})`, names.map(addressOf)));
  const { id, address, family } = wallet;
  const known: NamedWallet[] =
    names.length === 0
      ? []
      : await tx
          .select({ id, address, family })
          .from(wallet)
          .where(and(eq(wallet.tenant, tenant), isNamed));
  return (name: string): NamedWallet[] => {
    const byId = known.filter((one) => one.id === name);
    return byId.length > 0 ? byId : known.filter((one) => one.address.toLowerCase() === addressOf(name));
  };
}
