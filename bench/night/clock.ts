import { syncBuiltinESMExports } from "node:module";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Client, Pool } from "pg";
import { z } from "zod";
import { openTestDatabase } from "@/bench/service/postgres";
import { openStore } from "@/lib/db/connection";

const STEP_MS = 100;
/** Turns of the event loop with nothing under way: then everybody waits for the clock. */
const QUIET = 4;

const CLOCK = `create schema told;
  create function told.clock_timestamp() returns timestamptz language sql volatile as $$ select current_setting('told.at')::timestamptz $$;
  create function told.now() returns timestamptz language sql stable as $$ select current_setting('told.at')::timestamptz $$;
  do $$ begin execute format('alter database %I set search_path = told, pg_catalog, public', current_database()); end $$;`;

const Ended = z.custom<(...given: unknown[]) => unknown>((given) => typeof given === "function");

let underWay = 0;

/** Counts calls of this method that have not ended, by promise or by callback. */
function count(of: object, name: "query" | "connect", before: (self: object) => void): void {
  const plain = Ended.parse(Reflect.get(of, name));
  const counted = function counted(this: object, ...given: unknown[]): unknown {
    before(this);
    const { data: callback } = Ended.safeParse(given.at(-1));
    underWay += 1;
    if (callback !== undefined) {
      const ended = (...answer: unknown[]) => {
        underWay -= 1;
        callback(...answer);
      };
      return Reflect.apply(plain, this, [...given.slice(0, -1), ended]);
    }
    const answer: unknown = Reflect.apply(plain, this, given);
    if (!(answer instanceof Promise)) throw new Error(`${name} gave no promise`);
    return answer.finally(() => (underWay -= 1));
  };
  Object.defineProperty(of, name, { value: counted });
}

let isTelling = false;

/** Each connection is told the time before a statement that comes later than its last one. */
function tellTime(): void {
  if (isTelling) return;
  isTelling = true;
  const told = new WeakMap<object, number>();
  count(Client.prototype, "query", (self) => {
    const nowMs = Date.now();
    if (!(self instanceof Client) || told.get(self) === nowMs) return;
    told.set(self, nowMs);
    const at = new Date(nowMs).toISOString();
    // In a transaction that failed nothing asks for it.
    self.query("select set_config('told.at', $1, false)", [at]).catch(() => undefined);
  });
  count(Pool.prototype, "connect", () => undefined);
}

async function settle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET; quiet += 1) {
    if (underWay > 0) quiet = 0;
    await turn();
  }
}

/** An empty store whose time, as this process's, is the one told; it goes on when everybody waits for it. */
export async function startClock(startMs: number) {
  const { url, close } = await openTestDatabase();
  const store = await openStore({ databaseUrl: url, dataDir: "" });
  const owner = new Client(url);
  await owner.connect();
  await owner.query(CLOCK);
  await owner.end();
  tellTime();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: startMs });
  syncBuiltinESMExports();
  globalThis.retaguardaStore = Promise.resolve(store);
  return {
    advance: async (ms: number) => {
      const untilMs = Date.now() + ms;
      while (Date.now() < untilMs) {
        mock.timers.tick(STEP_MS);
        await settle();
      }
    },
    stop: async () => {
      mock.timers.reset();
      await store.close();
      await close();
    },
  };
}
