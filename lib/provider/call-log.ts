import { setTimeout as sleep } from "node:timers/promises";
import { eq, or, sql, type SQL } from "drizzle-orm";
import { documentsWithin } from "@/lib/contract/document";
import { log } from "@/lib/log/log";
import { noteCall } from "@/lib/metrics/note";
import { withoutParameters } from "@/lib/db/error";
import { type Db, db } from "@/lib/db/connection";
import type { CallKind, CallMethod, Lane } from "@/lib/db/enums/provider";
import { providerCall } from "@/lib/db/tables/provider";

const BATCH_ROWS = 100;
const GATHER_MS = 250;
const MAX_WAITING = 10_000;
const RETRY_MS = 5_000;
const MAX_TRIES = 60;
const RETAINED_DAYS = 30;
const FORGET_ROWS = 10_000;

/** A logged call names no person and holds no secret. */
export type Call = {
  id: string;
  tenant: string;
  method: CallMethod;
  /** A template: `/v1/crypto/wallets/{address}/balance`. Never its values, never a query. */
  path: string;
  status: number | null;
  kind: CallKind;
  code: string | null;
  /** From connecting to the last byte. */
  durationMs: number;
  waitedMs: number;
  lane: Lane;
  attempt: number;
  actor: string;
  /** `kyc:<kycUUID>`, `account:<ref>`; null for lists and tokens. */
  object: string | null;
  providerRequestId: string | null;
  at: Date;
};

export type CallLogDeps = {
  write: (calls: readonly Call[]) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
};

export type CallLog = {
  add: (call: Call) => void;
  /** For shutdown: later calls are written one by one. */
  flush: () => Promise<void>;
  /** Batches of 250 ms or 100 calls. While the store refuses, up to 10,000 wait for 5 minutes; the rest is counted. */
  end: () => Promise<void>;
};

/** Codes only: a text with a document in it does not pass. */
export function createCallLog(deps: CallLogDeps): CallLog {
  const waiting: Call[] = [];
  let dropped = 0;
  let refusals = 0;
  let isGathering = false;
  let isEnding = false;
  let writing: Promise<void> | undefined;

  async function writeBatches(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_ROWS);
      await deps.write(batch).then(
        () => (refusals = 0),
        (error: unknown) => {
          refusals += 1;
          if (refusals === 1) log.warn({ err: withoutParameters(error) }, "call log not written, trying again");
        },
      );
      if (refusals > 0 && refusals < MAX_TRIES) return;
      if (refusals > 0) dropped += batch.length;
      waiting.splice(0, batch.length);
      refusals = 0;
    }
    if (dropped > 0) log.warn({ dropped }, "calls missing from the call log");
    dropped = 0;
  }

  function flush(): Promise<void> {
    writing ??= writeBatches().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function gather(): Promise<void> {
    while (waiting.length > 0) {
      await deps.sleep(refusals > 0 ? RETRY_MS : GATHER_MS);
      await flush();
    }
    isGathering = false;
  }

  return {
    add(call) {
      if (waiting.length >= MAX_WAITING) dropped += 1;
      else waiting.push(call);
      if (isEnding) void flush();
      if (isEnding || isGathering) return;
      isGathering = true;
      void gather();
    },
    flush,
    end() {
      isEnding = true;
      return flush();
    },
  };
}

const CODE = /^(?!.*\d{6})[A-Za-z][\w-]{0,63}$/;
const OBJECT = /^[a-z-]+:(?!\d{11}$|\d{14}$)[\w-]{1,80}$/;
const FOREIGN_ID = /^(?!\d{11}$|\d{14}$)[\w.:-]{1,80}$/;

const only = (allowed: RegExp, text: string | null) =>
  text !== null && allowed.test(text) && documentsWithin(text).length === 0 ? text : null;

function rowOf(call: Call) {
  const { tenant, at, id, method, path, status, kind, lane, attempt, actor } = call;
  return {
    tenant,
    at,
    request_id: id,
    provider_request_id: only(FOREIGN_ID, call.providerRequestId),
    method,
    path,
    status,
    kind,
    code: only(CODE, call.code),
    duration_ms: Math.round(call.durationMs),
    waited_ms: Math.round(call.waitedMs),
    lane,
    attempt,
    actor,
    object: only(OBJECT, call.object),
  };
}

const COLUMNS = sql.raw(
  "tenant, at, request_id, provider_request_id, method, path, status, kind, code, duration_ms, waited_ms, lane, attempt, actor, object",
);

/** Writes calls to the store in one statement, without forbidden texts. */
export async function writeCalls(into: Db, calls: readonly Call[]): Promise<void> {
  // One JSON parameter: fifteen for each of a hundred rows would take longer than the calls themselves.
  const rows = JSON.stringify(calls.map(rowOf));
  await into.execute(sql`
    insert into ${providerCall} (${COLUMNS})
    select ${COLUMNS} from jsonb_populate_recordset(null::${providerCall}, ${rows}::jsonb)
  `);
}

declare global {
  var retaguardaCallLog: CallLog | undefined;
}

function shared(): CallLog {
  globalThis.retaguardaCallLog ??= createCallLog({
    write: async (calls) => writeCalls(await db(), calls),
    sleep: async (ms) => {
      await sleep(ms, undefined, { ref: false });
    },
  });
  return globalThis.retaguardaCallLog;
}

/** It never throws. */
export function logCall(call: Call): void {
  noteCall(call);
  shared().add(call);
}

export function flushCalls(): Promise<void> {
  return shared().flush();
}

export function endCallLog(): Promise<void> {
  return shared().end();
}

// In order of insertion, so the oldest need no index on time.
const amongTheOldest = sql`${providerCall.seq} in (
  select seq from (select seq, at from ${providerCall} order by seq limit ${FORGET_ROWS}) as oldest
  where at < clock_timestamp() - ${RETAINED_DAYS} * interval '1 day'
)`;

/** For all tenants, older than 30 days, 10,000 in a statement; returns how many. */
export async function forgetOldCalls(from: Db): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await from.delete(providerCall).where(amongTheOldest).returning({ seq: providerCall.seq });
    forgotten += batch.length;
    if (batch.length < FORGET_ROWS) return forgotten;
  }
}

export const isReference = (text: string): SQL | undefined =>
  or(eq(providerCall.requestId, text), eq(providerCall.providerRequestId, text));
