import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { recordAll } from "@/lib/audit/record";
import { CommandRefusal } from "@/lib/db/command";
import { env, takeEnv } from "@/lib/settings/env";
import { addDataKeyFile } from "@/lib/settings/keys";
import { hashPrefix, lookupHash, seal, sealedPrefix, unseal, unsealedOrNull } from "@/lib/db/seal";
import { LONE_HASHES, SEALED_COLUMNS, type SealedColumn } from "@/lib/db/sealed-columns";
import type { Db, Tx } from "@/lib/db/connection";

const BATCH = 50;
/** Values per round, between which progress is reported. */
const ROUND = 2_000;

type Target = {
  column: SealedColumn;
  table: SQL;
  sealed: SQL;
  hash: SQL | null;
  keys: readonly SQL[];
};

const SEALED_COLUMN_NAMES: readonly SealedColumn[] = z
  .array(z.custom<SealedColumn>((name) => typeof name === "string" && Object.hasOwn(SEALED_COLUMNS, name)))
  .parse(Object.keys(SEALED_COLUMNS));

function targetOf(column: SealedColumn): Target {
  const [table = "", name = ""] = column.split(".");
  const { row, hash } = SEALED_COLUMNS[column];
  return {
    column,
    table: sql`${sql.identifier(table)}`,
    sealed: sql`${sql.identifier(name)}`,
    hash: hash === null ? null : sql`${sql.identifier(hash)}`,
    keys: row.map((one) => sql`${sql.identifier(one)}`),
  };
}

const TARGETS = SEALED_COLUMN_NAMES.map(targetOf);

const listed = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);
const given = (values: readonly string[]) => listed(values.map((value) => sql`${value}`));

const isOther = ({ sealed }: Target) =>
  sql`${sealed} is not null and not starts_with(${sealed}, ${sealedPrefix(env().dataKeys[0])})`;

const Found = z.object({ rows: z.array(z.looseObject({ value: z.string() })) });
type Value = { value: string; row: string[] };

async function nextValues(tx: Tx, target: Target, after: readonly string[] | null): Promise<Value[]> {
  const { table, sealed, keys } = target;
  const names = keys.map((key, index) => sql`${key}::text as ${sql.identifier(`key${index}`)}`);
  const isLater = after === null ? sql`true` : sql`(${listed(keys)}) > (${given(after)})`;
  const found = await tx.execute(sql`
    select ${sealed} as value, ${listed(names)} from ${table}
    where ${isOther(target)} and ${isLater} order by ${listed(keys)} limit ${BATCH} for update`);
  return Found.parse(found).rows.map(({ value, ...row }) => ({
    value,
    row: keys.map((_, index) => String(row[`key${index}`])),
  }));
}

async function resealValue(tx: Tx, target: Target, { value, row }: Value): Promise<boolean> {
  const { column, table, sealed, hash, keys } = target;
  const sealedIn = { column, row };
  const opened = unsealedOrNull(() => unseal(value, sealedIn));
  if (opened === null) return false;
  const resealed = seal(opened, sealedIn);
  if (unseal(resealed, sealedIn) !== opened) throw new Error(`${column} does not open again`);
  const hashed = hash === null ? sql`` : sql`, ${hash} = ${lookupHash(opened)}`;
  await tx.execute(sql`update ${table} set ${sealed} = ${resealed}${hashed} where (${listed(keys)}) = (${given(row)})`);
  return true;
}

type Round = {
  resealed: number;
  unreadable: number;
  isDone: boolean;
};

/** Each batch is final, and never overwrites a concurrent write. */
export async function resealRound(db: Db): Promise<Round> {
  const round = { resealed: 0, unreadable: 0 };
  for (const target of TARGETS) {
    let after: readonly string[] | null = null;
    do {
      if (round.resealed >= ROUND) return { ...round, isDone: false };
      const from: readonly string[] | null = after;
      after = await db.transaction(async (tx) => {
        const values = await nextValues(tx, target, from);
        for (const value of values) {
          if (await resealValue(tx, target, value)) round.resealed += 1;
          else round.unreadable += 1;
        }
        return values.length < BATCH ? null : (values.at(-1)?.row ?? null);
      });
    } while (after !== null);
  }
  return { ...round, isDone: true };
}

const Counted = z.object({ rows: z.array(z.object({ key: z.string(), values: z.coerce.number() })) });

/** By key id. */
async function countSealed(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { table, sealed } of TARGETS) {
    const counted = await db.execute(sql`
      select split_part(${sealed}, '.', 2) as key, count(*) as values from ${table} where ${sealed} is not null group by 1`);
    for (const { key, values } of Counted.parse(counted).rows) counts.set(key, (counts.get(key) ?? 0) + values);
  }
  return counts;
}

const Last = z.object({ rows: z.array(z.object({ until: z.coerce.date().nullable() })) });

/** Hashes that cannot be recomputed need the old keys until their values no longer repeat. Null when there are none. */
async function otherKeysWantedUntil(db: Db): Promise<Date | null> {
  const prefix = hashPrefix(env().dataKeys[0]);
  let latest: Date | null = null;
  for (const { table, hash, at, days } of LONE_HASHES) {
    const found = await db.execute(sql`
      select max(${sql.identifier(at)}) + ${days} * interval '1 day' as until from ${sql.identifier(table)}
      where not starts_with(${sql.identifier(hash)}, ${prefix})
        and ${sql.identifier(at)} > clock_timestamp() - ${days} * interval '1 day'`);
    const until = Last.parse(found).rows[0]?.until ?? null;
    if (until !== null && (latest === null || until > latest)) latest = until;
  }
  return latest;
}

type KeyCount = {
  key: string;
  values: number;
  use: "seals" | "opens" | "unknown";
};

type KeyState = {
  keys: KeyCount[];
  othersWantedUntil: string | null;
  hasKeyFiles: boolean;
};

export async function readKeyState(db: Db): Promise<KeyState> {
  const { dataKeys, hasKeyFiles } = env();
  const counts = await countSealed(db);
  const known = dataKeys.map(({ id }) => id);
  const useOf = (key: string, index: number) => (index === 0 ? "seals" : known.includes(key) ? "opens" : "unknown");
  const ids = [...new Set([...known, ...counts.keys()])];
  const keys = ids.map((key, index) => ({ key, values: counts.get(key) ?? 0, use: useOf(key, index) }) as const);
  return { keys, othersWantedUntil: (await otherKeysWantedUntil(db))?.toISOString() ?? null, hasKeyFiles };
}

async function recordForAll(
  db: Db,
  outcome: "INTENT" | "DONE",
  detail: Record<string, string | number>,
): Promise<void> {
  const what = { actor: "command", code: "keys.rotate", outcome, detail } as const;
  await recordAll(
    db,
    env().tenants.map(({ clientId: tenant }) => ({ tenant, ...what })),
  );
}

async function isUnderWay(db: Db): Promise<boolean> {
  const [, ...others] = env().dataKeys;
  const counts = await countSealed(db);
  return others.some(({ id }) => counts.has(id));
}

/** Continues with the newest key, or makes one. Refuses when the settings must name it first. */
async function begin(db: Db): Promise<void> {
  const settings = env();
  const [newest] = settings.dataKeys;
  if (!(await isUnderWay(db))) {
    if (!settings.hasKeyFiles)
      throw new CommandRefusal(
        `everything is sealed with ${newest.id}, the key in DATA_KEY; to exchange it, name the next one in DATA_KEY and this one in DATA_KEYS_OTHER`,
      );
    takeEnv({ ...settings, dataKeys: addDataKeyFile(settings.dataDir, newest) });
  }
  await recordForAll(db, "INTENT", { key: env().dataKeys[0].id });
}

export async function rotateRound(db: Db, { isFirst }: { isFirst: boolean }): Promise<Round & { key: string }> {
  if (isFirst) await begin(db);
  const round = await resealRound(db);
  const key = env().dataKeys[0].id;
  if (round.isDone) await recordForAll(db, "DONE", { key, unreadable: round.unreadable });
  return { ...round, key };
}
