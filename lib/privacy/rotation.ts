import { record } from "@/lib/audit/record";
import { CommandRefusal } from "@/lib/command-refusal";
import { env, takeEnv } from "@/lib/env";
import { addDataKeyFile } from "@/lib/keys";
import type { Db } from "@/lib/store/store";
import { countSealed, otherKeysWantedUntil, resealRound, type Round } from "./reseal";

export type KeyCount = {
  /** `v1` for what the first release sealed, which named no key. */
  key: string;
  values: number;
  use: "seals" | "opens" | "unknown";
};

export type KeyState = {
  keys: KeyCount[];
  /** Until when keys that seal nothing any more are still wanted, ISO 8601; null: they may go now. */
  othersWantedUntil: string | null;
  hasKeyFiles: boolean;
};

/** What each key seals, the one in use first. */
export async function readKeyState(db: Db): Promise<KeyState> {
  const { dataKeys, hasKeyFiles } = env();
  const counts = await countSealed(db);
  const known = dataKeys.map(({ id }) => id);
  const useOf = (key: string, index: number) =>
    index === 0 ? "seals" : known.includes(key) || key === "v1" ? "opens" : "unknown";
  const ids = [...new Set([...known, ...counts.keys()])];
  const keys = ids.map((key, index) => ({ key, values: counts.get(key) ?? 0, use: useOf(key, index) }) as const);
  return { keys, othersWantedUntil: (await otherKeysWantedUntil(db))?.toISOString() ?? null, hasKeyFiles };
}

async function recordForAll(
  db: Db,
  outcome: "INTENT" | "DONE",
  detail: Record<string, string | number>,
): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { clientId } of env().tenants) {
      await record(tx, { tenant: clientId, actor: "command", code: "keys.rotate", outcome, detail });
    }
  });
}

/** Whether an exchange was begun and not brought to its end: keys that open have sealed something. */
async function isUnderWay(db: Db): Promise<boolean> {
  const { dataKeys, hasKeyFiles } = env();
  const [, ...others] = dataKeys;
  const counts = await countSealed(db);
  // Beside a single file, what the first release sealed only says that no key was ever exchanged.
  return others.some(({ id }) => counts.has(id)) || (counts.has("v1") && (others.length > 0 || !hasKeyFiles));
}

/**
 * Settles which key all is to be sealed with: the newest, when something is left on others; else a new one, where keys are
 * files. Refuses when the settings would have to name it first.
 */
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

/** One round of sealing everything with the newest key; the first one begins it. */
export async function rotateRound(db: Db, { isFirst }: { isFirst: boolean }): Promise<Round & { key: string }> {
  if (isFirst) await begin(db);
  const round = await resealRound(db);
  const key = env().dataKeys[0].id;
  if (round.isDone) await recordForAll(db, "DONE", { key, unreadable: round.unreadable });
  return { ...round, key };
}
