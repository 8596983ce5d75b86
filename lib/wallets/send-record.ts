import { recalledTimes } from "@/lib/provider/intents/recall";
import { and, asc, eq, inArray, isNull, notLike, or, sql } from "drizzle-orm";
import { readDecision } from "@/lib/approvals/snapshot";
import { OPEN_STATES } from "@/lib/approvals/view";
import { requestsOf } from "@/lib/approvals/visible";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { auditEvent } from "@/lib/db/tables/audit";
import { staff } from "@/lib/db/tables/staff";
import { chainMovement, type cryptoOrder, hashKey } from "@/lib/db/tables/wallets";
import type { Actor } from "@/lib/permission/grant";
import { needsPersonNow } from "@/lib/provider/intents/intent-record";
import { saidOf, toldOf } from "@/lib/provider/intents/told";
import { isUuid } from "@/lib/text/decode";
import { hasTime } from "./chain-state";
import { paidFees } from "./paid-fees";
import { findSend } from "./sends-list";
import { candidatesOfSend } from "./sent-coins";
import { heldThen } from "./sent-fee";
import type { HeldThen, SendEvent, SendEventKind, SendRecord } from "./sends-view";
import { movementDirection } from "./view";

type Reader = Actor<"wallets:read">;
type Found = NonNullable<Awaited<ReturnType<typeof findSend>>>;

const EVENTS: Readonly<Record<string, SendEventKind>> = {
  "approval.propose DONE": "proposed",
  "approval.authorise DONE": "authorised",
  "approval.refuse DONE": "rejected",
  "approval.withdraw DONE": "withdrawn",
  "approval.expire DONE": "expired",
  "approval.execute REFUSED": "stopped",
  "crypto-transfers.create INTENT": "sent",
  "crypto-transfers.create DONE": "done",
  "crypto-transfers.create HELD": "held",
  "crypto-transfers.create REFUSED": "refused",
  "crypto-transfers.create UNKNOWN": "unconfirmed",
  "outcomes.exclude DONE": "excluded",
  "outcomes.end DONE": "concluded",
  "outcomes.contradict UNKNOWN": "contradicted",
};

/** What the provider did: the record names who had asked, and that person did not do it. */
const ANSWERS: ReadonlySet<SendEventKind> = new Set([
  "done",
  "seenDone",
  "held",
  "refused",
  "blocked",
  "seenRefused",
  "unconfirmed",
]);
const OPEN: ReadonlySet<SendEventKind> = new Set(["held", "unconfirmed", "contradicted"]);
const SEEN_ENDS: Partial<Record<SendEventKind, SendEventKind>> = { done: "seenDone", refused: "seenRefused" };
const ENDS: ReadonlySet<SendEventKind> = new Set(["done", "refused"]);

/** What never left was not sent, and what stood in its way is no refusal of the provider's. */
function kindOf(intent: Found["intent"], noted: SendEventKind | null): SendEventKind | null {
  const hasLeft = intent !== null && (intent.attempts > 0 || intent.opening > 1);
  if (hasLeft) return noted === "stopped" ? null : noted;
  if (noted === "sent" || (noted === "stopped" && intent !== null)) return null;
  return noted === "refused" ? "stopped" : noted;
}

/** As it is on record, oldest first. */
async function eventsOf(store: Db, reader: Reader, { row, intent, proposal }: Found): Promise<SendEvent[]> {
  const { code, outcome, at, actor } = auditEvent;
  const rows = await store
    .select({ code, outcome, at, actor, byName: staff.name })
    .from(auditEvent)
    .leftJoin(staff, eq(sql`${staff.id}::text`, actor))
    .where(
      and(
        eq(auditEvent.tenant, reader.tenant),
        eq(auditEvent.intentId, row.id),
        or(notLike(code, "approval.%"), eq(auditEvent.object, `approval:${proposal?.id}`)),
      ),
    )
    .orderBy(asc(auditEvent.seq));
  const events = rows.flatMap((one) => {
    const kind = kindOf(intent, EVENTS[`${one.code} ${one.outcome}`] ?? null);
    return kind === null ? [] : [{ ...one, kind }];
  });
  // What a person said ends the write in the same moment.
  const shown = events.filter(({ kind }, index) => !(ENDS.has(kind) && events[index + 1]?.kind === "concluded"));
  const recalled = intent === null ? null : recalledTimes(intent, rows[0]?.at);
  return shown.map(({ kind: noted, at: recordedAt, byName, actor: by }, index) => {
    const when = recalled?.[noted] ?? recordedAt;
    const wasOpen = shown.slice(0, index).some((earlier) => OPEN.has(earlier.kind));
    const ended = noted === "refused" && row.state === "BLOCKED" ? "blocked" : noted;
    const kind = (wasOpen ? SEEN_ENDS[noted] : undefined) ?? ended;
    const isTheirs = ANSWERS.has(kind) || (kind === "sent" && proposal !== null);
    const who = isTheirs ? { byName: null, isMine: false } : { byName, isMine: by === reader.id };
    return { kind, at: when.toISOString(), ...who };
  });
}

type Order = typeof cryptoOrder.$inferSelect;

/** The movement that carried it, as kept of the chain. */
async function movementOf(store: Db, { tenant, walletId, network, txHash }: Order) {
  if (walletId === null || network === null || txHash === null) return null;
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        eq(chainMovement.walletId, walletId),
        eq(chainMovement.network, network),
        eq(hashKey(chainMovement.hash), txHash.toLowerCase().replace(/^0x/, "")),
        isNull(chainMovement.droppedAt),
      ),
    );
  const out = rows.filter(({ subtype }) => movementDirection(subtype) === "out");
  return out.find((row) => paidFees(out).has(row)) ?? out[0] ?? null;
}

function feeOf(movement: Awaited<ReturnType<typeof movementOf>>, { derivedFee }: Order): SendRecord["fee"] {
  const told = movement?.toldFee ?? null;
  if (told !== null) return { amount: told, isTold: true };
  const amount = movement?.derivedFee ?? derivedFee;
  return amount === null ? null : { amount, isTold: false };
}

async function nameOf(store: Db, staffId: string | null): Promise<string | null> {
  if (staffId === null) return null;
  const [person] = await store.select({ name: staff.name }).from(staff).where(eq(staff.id, staffId));
  return person?.name ?? null;
}

async function conclusionOf(store: Db, tenant: string, id: string): Promise<string | null> {
  const [conclusion] = await store
    .select({ id: approval.id })
    .from(approval)
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, "outcome.end"),
        eq(approval.object, `outcome:${id}`),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  return conclusion?.id ?? null;
}

const headOf = ({ headHash, headAt }: Order): SendRecord["before"]["head"] =>
  headHash === null || headAt === null ? null : { hash: headHash, at: headAt.toISOString() };

const readThen = (amount: string | null, at: Date | null): HeldThen | null =>
  amount === null || at === null ? null : { amount, at: at.toISOString() };

/** Read after the balance that was kept before it was sent. */
async function sinceOf(store: Db, { tenant, walletId, network, token, assetBeforeAt }: Order) {
  if (walletId === null || network === null || assetBeforeAt === null) return null;
  const now = await heldThen(store, { tenant, walletId, network }, token);
  return now !== null && new Date(now.at) > assetBeforeAt ? now : null;
}

/** What became of a send, by its intent; null when there is none. */
export async function readSend(reader: Reader, id: string): Promise<SendRecord | null> {
  if (!isUuid(id)) return null;
  const store = await db();
  const { tenant } = reader;
  const found = await findSend(store, reader, id);
  if (found === null) return null;
  const { row, order, intent, proposal } = found;
  const requestId = (await requestsOf(store, reader, [id])).get(id) ?? null;
  const decision = proposal === null ? null : await readDecision(proposal);
  const isHeld = row.state === "HELD";
  const until = isHeld ? intent?.pendingExpiresAt : row.state === "WAITING" ? proposal?.expiresAt : null;
  const movement = await movementOf(store, order);
  return {
    row,
    requestId,
    authorisedBy: decision?.verdict === "AUTHORISED" ? await nameOf(store, decision.deciderId) : null,
    reason: row.state === "REJECTED" && requestId !== null ? (decision?.reason ?? null) : null,
    told: intent === null ? null : toldOf(intent),
    ending: intent?.state === "UNKNOWN" ? { code: intent.code, status: intent.status } : null,
    said: intent === null ? null : saidOf(intent),
    antifraudId: intent?.antifraudId ?? null,
    until: until?.toISOString() ?? null,
    onChain:
      movement === null
        ? null
        : { at: hasTime(movement) ? movement.at.toISOString() : null, block: movement.blockNumber },
    fee: feeOf(movement, order),
    before: {
      head: headOf(order),
      held: readThen(order.heldBefore, order.heldBeforeAt),
      heldAsset: readThen(order.assetBefore, order.assetBeforeAt),
    },
    heldSince: await sinceOf(store, order),
    candidates: await candidatesOfSend(store, tenant, id),
    isSaid: intent !== null && intent.endedBy !== null,
    isContradicted: intent !== null && intent.contradictedAt !== null,
    needsPerson: intent !== null && (await needsPersonNow(store, intent)),
    conclusionId: await conclusionOf(store, tenant, id),
    callId: intent?.requestId ?? null,
    events: await eventsOf(store, reader, found),
    asOf: (await storeNow(store)).toISOString(),
  };
}
