import { setTimeout as sleep } from "node:timers/promises";
import { setImmediate } from "node:timers";
import { lt, sql } from "drizzle-orm";
import type { z } from "zod";
import { CAPABILITIES } from "@/lib/contract/capabilities";
import { differencesIn } from "@/lib/contract/differences";
import { READS } from "@/lib/contract/reads";
import { type Db, db } from "@/lib/db/connection";
import { excluded } from "@/lib/db/columns";
import type { CallMethod } from "@/lib/db/enums/provider";
import { withoutParameters } from "@/lib/db/error";
import { providerFinding } from "@/lib/db/tables/provider";
import { log } from "@/lib/log/log";
import { civilDay, civilDaysAgo } from "@/lib/text/time";

const GATHER_MS = 1_000;
const RETRY_MS = 30_000;
const MAX_WAITING = 100;
const MAX_NAMES = 60;
const RETAINED_DAYS = 90;

/** `documented` null: the interface shows no answer. */
export type HeardAnswer = {
  tenant: string;
  method: CallMethod;
  path: string;
  documented: z.ZodType | null;
  json: unknown;
  at: Date;
};

export type Finding = typeof providerFinding.$inferSelect;
type Found = Pick<Finding, "is" | "field" | "found" | "documented">;

const plain = { found: "", documented: "" };

function toldIn({ method, path, json }: HeardAnswer): Found[] {
  return Object.entries(CAPABILITIES).flatMap(([field, { read, isTold }]): Found[] => {
    const told = method === "GET" && READS[read].path === path ? isTold(json) : null;
    return told === null ? [] : [{ is: told ? "TOLD" : "UNTOLD", field, ...plain }];
  });
}

/** What one answer shows: that it came, what it tells beyond the contract, and how it differs. */
export function findingsIn(heard: HeardAnswer): Found[] {
  const differences = heard.documented === null ? [] : differencesIn(heard.documented, heard.json);
  return [{ is: "ANSWERED", field: "", ...plain }, ...toldIn(heard), ...differences];
}

const keyOf = ({ tenant, day, operation, is, field, found }: Finding) =>
  JSON.stringify([tenant, day, operation, is, field, found]);

const failed = (err: unknown) =>
  log.error({ err: withoutParameters(err) }, "an answer could not be compared with the contract");

export type FindingsDeps = {
  write: (findings: readonly Finding[]) => Promise<void>;
  sleep: (ms: number) => Promise<void>;
};

export type Findings = {
  /** Compares later, outside of the request; while 100 answers wait, further ones are not counted. */
  hear: (answer: HeardAnswer) => void;
  /** Writes what was heard. */
  end: () => Promise<void>;
};

/** Counts in memory and writes once a second. At most 60 names a day of each operation and kind; the rest is `*`. */
export function createFindings(deps: FindingsDeps): Findings {
  let counted = new Map<string, Finding>();
  const names = new Map<string, Set<string>>();
  const waiting: HeardAnswer[] = [];
  let isComparing = false;
  let isGathering = false;
  let hasFailed = false;

  function limited({ day, tenant, operation, is, field }: Omit<Finding, "answers">): string {
    const of = JSON.stringify([tenant, operation, is]);
    for (const kept of names.keys()) if (!kept.startsWith(day)) names.delete(kept);
    const known = names.get(day + of) ?? new Set();
    names.set(day + of, known);
    if (!known.has(field) && known.size >= MAX_NAMES) return "*";
    known.add(field);
    return field;
  }

  function add(finding: Finding): void {
    const key = keyOf(finding);
    const before = counted.get(key);
    const sum = before === undefined ? finding : { ...before, answers: before.answers + finding.answers };
    counted.set(key, { ...sum, lastAt: finding.lastAt });
  }

  function compare(heard: HeardAnswer): void {
    const { tenant, method, path, at } = heard;
    const within = { tenant, day: civilDay(at), operation: `${method} ${path}`, firstAt: at, lastAt: at };
    const found = new Map<string, Finding>();
    for (const one of findingsIn(heard)) {
      const finding = { ...within, ...one, field: limited({ ...within, ...one }), answers: 1 };
      found.set(keyOf(finding), finding);
    }
    for (const finding of found.values()) add(finding);
  }

  async function compareAll(): Promise<void> {
    await Promise.all(waiting.splice(0).map((heard) => Promise.resolve(heard).then(compare).catch(failed)));
  }

  async function flush(): Promise<void> {
    const batch = counted;
    if (batch.size === 0) return;
    counted = new Map();
    const inOrder = [...batch.values()].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    await deps.write(inOrder).then(
      () => (hasFailed = false),
      (error: unknown) => {
        if (!hasFailed) log.warn({ err: withoutParameters(error) }, "findings not written, trying again");
        hasFailed = true;
        for (const finding of batch.values()) add(finding);
      },
    );
  }

  async function gather(): Promise<void> {
    do {
      await deps.sleep(hasFailed ? RETRY_MS : GATHER_MS);
      await compareAll();
      await flush();
    } while (counted.size > 0 || waiting.length > 0);
    isGathering = false;
  }

  return {
    hear(answer) {
      if (waiting.length >= MAX_WAITING) return;
      waiting.push(answer);
      if (!isComparing) {
        isComparing = true;
        setImmediate(() => {
          isComparing = false;
          void compareAll();
        });
      }
      if (isGathering) return;
      isGathering = true;
      void gather();
    },
    async end() {
      await compareAll();
      await flush();
    },
  };
}

/** Adds to the counts of the day. */
export async function writeFindings(into: Db, findings: readonly Finding[]): Promise<void> {
  const { tenant, day, operation, is, field, found, answers, lastAt } = providerFinding;
  await into
    .insert(providerFinding)
    .values([...findings])
    .onConflictDoUpdate({
      target: [tenant, day, operation, is, field, found],
      set: {
        answers: sql`${answers} + ${excluded(answers)}`,
        lastAt: sql`greatest(${lastAt}, ${excluded(lastAt)})`,
      },
    });
}

declare global {
  var retaguardaFindings: Findings | undefined;
}

function shared(): Findings {
  globalThis.retaguardaFindings ??= createFindings({
    write: async (findings) => writeFindings(await db(), findings),
    sleep: async (ms) => {
      await sleep(ms, undefined, { ref: false });
    },
  });
  return globalThis.retaguardaFindings;
}

/** It never throws. */
export const hearAnswer = (answer: HeardAnswer): void => shared().hear(answer);

export const endFindings = (): Promise<void> => shared().end();

/** For all tenants, older than 90 days. */
export async function forgetOldFindings(from: Db): Promise<void> {
  await from.delete(providerFinding).where(lt(providerFinding.day, civilDaysAgo(RETAINED_DAYS)));
}
