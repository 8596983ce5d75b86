import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "@/lib/db/connection";
import { BOUNDS } from "./verdict";
import type { HealthReading } from "./view";

const READY_WITHIN_MS = 1_500;
const LOOKED_EVERY_MS = 15_000;
const ANSWERED_WITHIN_MS = 5_000;

export async function isStoreOpen(withinMs = READY_WITHIN_MS): Promise<boolean> {
  const asked = db()
    .then((open) => open.execute(sql`select 1`))
    .then(
      () => true,
      () => false,
    );
  return Promise.race([asked, sleep(withinMs, false, { ref: false })]);
}

type Silence = NonNullable<HealthReading["database"]["silence"]>;

/** Remembers in this process what the database could not keep: that it did not answer, and from when until when. */
export function createProbe(isOpen: () => Promise<boolean>, now: () => Date) {
  let since: Date | null = null;
  let silence: Silence | null = null;
  return {
    async look(): Promise<void> {
      const askedAt = now();
      if (!(await isOpen())) {
        since ??= askedAt;
        return;
      }
      const until = now();
      if (since !== null && until.getTime() - since.getTime() >= BOUNDS.database.silentMs)
        silence = { since: since.toISOString(), until: until.toISOString() };
      since = null;
    },
    /** The last long silence, until somebody is told of it. */
    silence: (): Silence | null => silence,
    forget(): void {
      silence = null;
    },
    start(): void {
      setInterval(() => void this.look(), LOOKED_EVERY_MS).unref();
    },
  };
}

declare global {
  var retaguardaDatabaseProbe: ReturnType<typeof createProbe> | undefined;
}

/** One per process, though Next loads modules several times. */
export const databaseProbe = (): ReturnType<typeof createProbe> =>
  (globalThis.retaguardaDatabaseProbe ??= createProbe(
    () => isStoreOpen(ANSWERED_WITHIN_MS),
    () => new Date(),
  ));
