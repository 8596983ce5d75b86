import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { drizzle } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import { log } from "@/lib/log/log";
import { nameOfWork } from "@/lib/log/work";
import { codeOf, rethrowUnanswered, StoreUnavailable } from "./error";

type Db = PgDatabase<PgQueryResultHKT>;
type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
type Session = Db["_"]["session"];

type Work<T> = (tx: Tx) => Promise<T>;
type Begin = <T>(work: Work<T>, follow: (session: Session) => void) => Promise<T>;
type Ask = <T>(ask: () => Promise<T>) => Promise<T>;

export const TRANSACTION_WITHIN_MS = 30_000;

/** `began`: its place in our code; `asked`: its last statement, without values. */
type Holder = { of: object; outer: Holder | undefined; began: string; asked: string; isOver: boolean };

declare global {
  var retaguardaTransactions: AsyncLocalStorage<Holder> | undefined;
}

/** One per process, though Next loads modules several times. */
const holders = () => (globalThis.retaguardaTransactions ??= new AsyncLocalStorage());

const NOT_OURS = /node_modules|node:|<anonymous>|[/\\]lib[/\\]db[/\\]transaction\.ts/;
const MOST_FRAMES = 3;

function caller(): string {
  const frames = (new Error("begun").stack ?? "").split("\n").slice(1);
  const ours = frames.filter((frame) => !NOT_OURS.test(frame)).slice(0, MOST_FRAMES);
  return ours.map((frame) => frame.trim().replace(/^at /, "")).join(" < ");
}

/** Throws inside a transaction of the store `of`. */
export function refuseBeside(of: object): void {
  for (let one = holders().getStore(); one !== undefined; one = one.outer) {
    // The embedded store's only connection is in use, and twelve people would empty a server's pool.
    if (one.of === of && !one.isOver) throw new Error(`the store was asked beside the transaction of ${one.began}`);
  }
}

function onEachQuery(session: Session, before: (text: string) => void, through: Ask): void {
  const prepare = session.prepareQuery.bind(session);
  const prepareQuery = (...given: Parameters<typeof prepare>) => {
    const prepared = prepare(...given);
    const ask = prepared.execute.bind(prepared);
    const execute: typeof ask = async (values) => {
      before(given[0].sql);
      return through(() => ask(values)).catch(rethrowUnanswered);
    };
    return Object.assign(prepared, { execute });
  };
  Object.assign(session, { prepareQuery });
}

class Overrun extends Error {
  override name = "Overrun";
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overrun = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Overrun("open for too long")), TRANSACTION_WITHIN_MS);
  });
  try {
    return await Promise.race([work, overrun]);
  } finally {
    clearTimeout(timer);
  }
}

const othersTurn = () => turn();

/** One after the other, so that a read runs between two of them and not after the whole queue. */
function embeddedBegin(begin: Db["transaction"]): Begin {
  let last: Promise<unknown> = Promise.resolve();
  return (work, follow) => {
    const done = last.then(() =>
      begin(async (tx) => {
        follow(tx._.session);
        return withinTime(work(tx));
      }),
    );
    last = done.then(othersTurn, othersTurn);
    return done;
  };
}

const IDLE_IN_TRANSACTION = "25P03";

const serverBegin =
  (pool: Pool, through: Ask): Begin =>
  async (work, follow) => {
    const connecting = pool.connect();
    const client = await through(() => connecting).catch((error: unknown) => {
      void connecting.then(
        (late) => late.release(),
        () => undefined,
      );
      throw new StoreUnavailable(codeOf(error));
    });
    const ended = new AbortController();
    const lost = once(client, "error", { signal: ended.signal }).then(([error]): never => {
      throw codeOf(error) === IDLE_IN_TRANSACTION ? error : new StoreUnavailable(codeOf(error));
    });
    lost.catch(() => undefined);
    const own = drizzle(client);
    // Tracked before its first statement, which may meet a silent server, too.
    follow(own._.session);
    let failed: { by: unknown } | undefined;
    let isClean = false;
    try {
      const result = await own.transaction(async (tx) => {
        try {
          return await Promise.race([work(tx), lost]);
        } catch (error) {
          failed = { by: error };
          throw error;
        }
      });
      isClean = true;
      return result;
    } catch (error) {
      // Any other error means that even the rollback was unanswered.
      isClean = error === failed?.by;
      throw failed === undefined ? error : failed.by;
    } finally {
      ended.abort();
      client.release(!isClean);
    }
  };

const hasOverrun = (error: unknown) => error instanceof Overrun || codeOf(error) === IDLE_IN_TRANSACTION;

const BRACKETS = new Set(["begin", "commit", "rollback"]);

type Guarding = { of: object; pool: Pool | null; through: Ask };

/** Queries beside or after a transaction throw; a stuck one is ended. `of`: shared by the handles of one store. */
export function guardTransactions(db: Db, { of, pool, through }: Guarding): void {
  const { session } = db._;
  const begin = pool === null ? embeddedBegin(session.transaction.bind(session)) : serverBegin(pool, through);
  const transaction = async <T>(work: Work<T>): Promise<T> => {
    refuseBeside(of);
    const holder: Holder = { of, outer: holders().getStore(), began: caller(), asked: "", isOver: false };
    const noteQuery = (text: string) => {
      if (holder.isOver) throw new Error(`a transaction of ${holder.began} is over, and was asked for more`);
      if (!BRACKETS.has(text)) holder.asked = text;
    };
    try {
      return await begin(
        (tx) => holders().run(holder, work, tx),
        (own) => onEachQuery(own, noteQuery, through),
      );
    } catch (error) {
      const { began, asked } = holder;
      if (hasOverrun(error))
        log.error({ work: nameOfWork(), began, asked }, "a transaction was open for too long, and was ended");
      throw error;
    } finally {
      holder.isOver = true;
    }
  };
  onEachQuery(session, () => refuseBeside(of), through);
  Object.assign(session, { transaction });
}
