import { z } from "zod";
import type { Db, Tx } from "@/lib/db/connection";
import { recall, remember } from "@/lib/db/watch-state";
import { continues, readLastHead } from "@/lib/audit/head";
import { createOpenIntents } from "@/lib/audit/incident";
import { chainRows, type Head, readHead } from "@/lib/audit/chain";
import { FAULT_KINDS, firstBad, type Trust, type Verified, verifyTenant } from "./verify";

/** Rows checked again at each sweep: a million takes an hour. */
const AGAIN_ROWS = 20_000;
const MAX_NEW_ROWS = 100_000;
/** How often the whole record is checked again after a fault. */
const RECHECK_MS = 600_000;

const At = z.object({ seq: z.int(), hash: z.string() });
const Open = z.object({ intentId: z.string(), seq: z.int(), code: z.string(), atMicros: z.number() });

const CheckState = z.object({
  upTo: At,
  checkedAt: z.iso.datetime(),
  /** How far the current round over the old rows has come. */
  round: At,
  fault: z.object({ kind: z.enum(FAULT_KINDS), seq: z.int() }).nullable(),
  faultAt: z.iso.datetime().nullable(),
  open: z.array(Open),
});
export type CheckState = z.infer<typeof CheckState>;

const START: Head = { seq: 0, hash: "" };
const NAME = "audit-check";

export async function readCheck(db: Db, tenant: string): Promise<CheckState | null> {
  return CheckState.nullable()
    .catch(null)
    .parse(await recall(db, { tenant, name: NAME }));
}

const write = (db: Db, tenant: string, state: CheckState) => remember(db, { tenant, name: NAME }, state);

export async function noteVerified(db: Db | Tx, found: Verified, now: Date): Promise<CheckState> {
  const { tenant, upTo, fault, begun } = found;
  const checkedAt = now.toISOString();
  const state = { upTo, checkedAt, round: START, fault, faultAt: fault === null ? null : checkedAt, open: begun };
  await write(db, tenant, state);
  return state;
}

type Walk = { tenant: string; from: Head; upTo: number };

async function walk(db: Db, { tenant, from, upTo }: Walk, open?: ReturnType<typeof createOpenIntents>) {
  let last = from;
  for await (const batch of chainRows(db, { tenant, after: from.seq, upTo })) {
    const { bad, last: sound } = firstBad(last, batch);
    for (const row of batch) if (row.seq <= sound.seq) open?.take(row);
    last = sound;
    if (bad !== null) return { last, isSound: false };
  }
  return { last, isSound: last.seq === upTo };
}

export type Checking = { trust: Trust; directory: string; now: () => Date };

const isRecent = (at: string | null, now: Date) => at !== null && now.getTime() - Date.parse(at) < RECHECK_MS;

/** Whether the record still reaches the last signed head. */
async function keepsItsEnd(db: Db, { tenant, directory, upTo }: { tenant: string; directory: string; upTo: Head }) {
  const signed = await readLastHead(directory, tenant);
  const held = signed === null || (await continues(db, { ...signed.head, tenant }));
  return held && (upTo.seq === 0 || (await continues(db, { ...upTo, tenant })));
}

/** Checks new rows, the last signed head and part of the old rows; after a fault, everything, for the first bad row. */
export async function checkTenant(db: Db, tenant: string, { trust, directory, now }: Checking): Promise<CheckState> {
  const known = await readCheck(db, tenant);
  const startedAt = now();
  if (known !== null && known.fault !== null && isRecent(known.faultAt, startedAt)) return known;
  const everything = async () => noteVerified(db, await verifyTenant(db, tenant, trust), startedAt);
  if (known === null || known.fault !== null) return everything();
  const { upTo, round } = known;
  if (!(await keepsItsEnd(db, { tenant, directory, upTo }))) return everything();
  const head = await readHead(db, tenant);
  const open = createOpenIntents(known.open);
  const fresh = await walk(db, { tenant, from: upTo, upTo: Math.min(head.seq, upTo.seq + MAX_NEW_ROWS) }, open);
  const again = await walk(db, { tenant, from: round, upTo: Math.min(upTo.seq, round.seq + AGAIN_ROWS) });
  const isWhole = head.seq >= upTo.seq && (fresh.last.seq < head.seq || fresh.last.hash === head.hash);
  if (!fresh.isSound || !again.isSound || !isWhole) return everything();
  const state = {
    upTo: fresh.last,
    checkedAt: startedAt.toISOString(),
    round: again.last.seq >= upTo.seq ? START : again.last,
    fault: null,
    faultAt: null,
    open: open.all(),
  };
  await write(db, tenant, state);
  return state;
}
