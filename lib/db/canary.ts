import { type PgDatabase, type PgQueryResultHKT, pgTable, text } from "drizzle-orm/pg-core";
import { SettingError } from "@/lib/settings/setting";
import { seal, unseal, UnsealError } from "./seal";

/** A process that cannot open it has another key, and would write what nobody else can read. */
export const dataKeyCanary = pgTable("data_key_canary", {
  id: text("id").primaryKey(),
  sealed: text("sealed").notNull(),
});

const ID = "data-key";
const PLACE = { column: "data_key_canary.sealed", row: [ID] } as const;

/** Throws `SettingError` when the database was written with another data key. */
export async function requireDataKey(db: PgDatabase<PgQueryResultHKT>): Promise<void> {
  const [standing] = await db.select().from(dataKeyCanary);
  if (standing !== undefined) return requireOpens(standing.sealed);
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
