import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { z } from "zod";
import { env } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import { seal, sealedPrefix, unseal, UnsealError } from "./seal";
import { SEALED_COLUMNS } from "./sealed-columns";
import type { Db } from "./store";

/** Who cannot open it has another key, and would write what nobody else can read. */
export const dataKeyCanary = pgTable("data_key_canary", {
  id: text("id").primaryKey(),
  sealed: text("sealed").notNull(),
});

const ID = "data-key";
const PLACE = { column: "data_key_canary.sealed", row: [ID] } as const;

const Found = z.object({ rows: z.array(z.object({ sealed: z.string() })) });

/** A sealed text of each column, of those that name their key. */
async function samples(db: Db): Promise<string[]> {
  const each = Object.keys(SEALED_COLUMNS).map((place) => {
    const [table = "", column = ""] = place.split(".");
    const name = sql.identifier(column);
    return sql`(select ${name} as sealed from ${sql.identifier(table)} where starts_with(${name}, 'v2.') limit 1)`;
  });
  return Found.parse(await db.execute(sql.join(each, sql` union all `))).rows.map(({ sealed }) => sealed);
}

/** Throws `SettingError` when the database was written with another data key. */
export async function requireDataKey(db: Db): Promise<void> {
  const [standing] = await db.select().from(dataKeyCanary);
  if (standing !== undefined) return requireOpens(standing.sealed);
  const known = env().dataKeys.map(sealedPrefix);
  const found = await samples(db);
  // An earlier release kept no canary: what it sealed says by which key, and a few of them may have been lost since.
  if (found.length > 0 && !found.some((sealed) => known.some((prefix) => sealed.startsWith(prefix)))) throw wrongKey();
  await db
    .insert(dataKeyCanary)
    .values({ id: ID, sealed: seal(ID, PLACE) })
    .onConflictDoNothing();
}

function requireOpens(sealed: string): void {
  try {
    unseal(sealed, PLACE);
  } catch (error) {
    if (error instanceof UnsealError) throw wrongKey();
    throw error;
  }
}

const wrongKey = () =>
  new SettingError(
    "DATA_KEY: is not the key that this database was written with: name that one, or add it to DATA_KEYS_OTHER",
  );
