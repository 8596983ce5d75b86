import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { can, type Role } from "@/lib/permission/permission";
import { countNotes, listNotes } from "@/lib/notes/note";
import type { Note } from "@/lib/notes/view";
import { maskWithin } from "@/lib/contract/document";
import type { OnboardingStatus } from "@/lib/contract/onboarding";
import type { Related } from "@/lib/kyc/queries";
import { casesOf, stoppedWordsOf } from "@/lib/kyc/records";
import { recordAccess } from "@/lib/audit/access-log";
import { env } from "@/lib/settings/env";
import { shownOnboardingDocument } from "@/lib/db/document";
import { staff } from "@/lib/db/tables/staff";
import { account, onboarding } from "@/lib/db/tables/customers";
import { type Db, db } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import type { Fresh } from "@/lib/text/page";
import { isoOf } from "@/lib/text/read-time";
import { type SafeLink, safeLink } from "@/lib/text/safe-link";
import { stopsIn } from "@/lib/text/tipping-off";
import { attemptCan } from "./can";
import { attemptsLike, type StoredOnboarding } from "./records";
import type { OnboardingEventKind } from "@/lib/db/enums/onboarding";
import { type OnboardingRow, onboardingRow } from "./queue";
import { checkEveryMs } from "./inputs";
import { onboardingEvent, onboardingLink, onboardingReading } from "@/lib/db/tables/onboarding";
import { stepsOf } from "./standing";
import type { LinkUse } from "@/lib/text/handed-link";
import { freshness } from "@/lib/db/watch-state";

export type AttemptView = { id: string; status: OnboardingStatus; firstSeenAt: string };

type AttemptsView = {
  chain: AttemptView[];
  position: number;
  others: AttemptView[];
  /** Earlier ones that this one may retry, newest first. */
  joinable: AttemptView[];
};

const viewOf = ({ id, status, firstSeenAt }: StoredOnboarding): AttemptView => ({
  id,
  status,
  firstSeenAt: firstSeenAt.toISOString(),
});

function chainOf(rows: readonly StoredOnboarding[], id: string): StoredOnboarding[] {
  const chain = rows.filter((row) => row.id === id);
  const older = () => rows.find((row) => row.id === chain[0]?.previousId && !chain.includes(row));
  const newer = () => rows.find((row) => row.previousId === chain.at(-1)?.id && !chain.includes(row));
  for (let row = older(); row !== undefined; row = older()) chain.unshift(row);
  for (let row = newer(); row !== undefined; row = newer()) chain.push(row);
  return chain;
}

function viewAttempts(rows: readonly StoredOnboarding[], id: string): AttemptsView {
  const chain = chainOf(rows, id);
  const others = rows.filter((row) => !chain.includes(row)).toReversed();
  const at = rows.findIndex((row) => row.id === id);
  const self = rows[at];
  const earlier = rows.slice(0, at);
  const mayJoin = (older: StoredOnboarding) =>
    self !== undefined && earlier.includes(older) && attemptCan.join(rows, self, older.id) === null;
  return {
    chain: chain.map(viewOf),
    position: chain.findIndex((row) => row.id === id) + 1,
    others: others.map(viewOf),
    joinable: others.filter(mayJoin).map(viewOf),
  };
}

type Said = { date: string; message: string; actionRequired: boolean; url: { href: string | null } | null };

/** Each message once, requests to the holder first. */
function holderText(messages: readonly Said[]): string {
  const inOrder = messages
    .toSorted((one, other) => (one.date < other.date ? 1 : -1))
    .toSorted((one, other) => Number(other.actionRequired) - Number(one.actionRequired));
  const said = inOrder.map(({ message, url }) => [message.trim(), url?.href ?? ""].filter(Boolean).join("\n"));
  return [...new Set(said)].filter(Boolean).join("\n\n");
}

// Renders less than five minutes apart are one reading.
const isAnotherReading = sql`${onboardingReading.seenAt} < now() - interval '5 minutes'`;

/** Returns when this person's previous reading ended; null for the first. */
export async function noteReading({ tenant, id: staffId }: Actor, onboardingId: string): Promise<Date | null> {
  const store = await db();
  const [reading] = await store
    .insert(onboardingReading)
    .values({ tenant, onboardingId, staffId, seenAt: sql`now()` })
    .onConflictDoUpdate({
      target: [onboardingReading.tenant, onboardingReading.onboardingId, onboardingReading.staffId],
      set: {
        previousAt: sql`case when ${isAnotherReading} then ${onboardingReading.seenAt} else ${onboardingReading.previousAt} end`,
        seenAt: sql`now()`,
      },
    })
    .returning({ previousAt: onboardingReading.previousAt });
  return reading?.previousAt ?? null;
}

type MessageView = {
  id: string;
  date: string;
  message: string;
  status: string;
  actionRequired: boolean;
  url: SafeLink | null;
  /** Mentions the biometric link, which is not in the page: taking it is audited. */
  isOfLink: boolean;
};

export type LinkView = {
  id: string;
  host: string;
  appearedAt: string;
  goneAt: string | null;
  isNew: boolean;
  uses: { use: LinkUse; byName: string; isMine: boolean; at: string }[];
};

export type EventView = {
  id: number;
  at: string;
  kind: OnboardingEventKind;
  byName: string | null;
  isMine: boolean;
  isNew: boolean;
  detail: Readonly<Record<string, string | number | boolean | null>>;
};

export type OnboardingRecordView = {
  row: OnboardingRow;
  /** Null when it was found by document and never listed. */
  onBoardingId: string | null;
  traceId: string | null;
  steps: ReturnType<typeof stepsOf>;
  rhythm: ({ everyMs: number; nextAt: string } & Pick<Fresh, "isStale" | "failure">) | null;
  messages: MessageView[];
  /** `stops`: terms in it that would tip the holder off. */
  holder: { text: string; stops: string[]; isOfLink: boolean };
  links: LinkView[];
  attempts: AttemptsView;
  cases: Related["cases"];
  account: { ref: string; branch: string; number: string } | null;
  events: EventView[];
  /** Without permission to read notes, only their number is returned. */
  notes: { isReadable: true; notes: Note[] } | { isReadable: false; count: number };
};

const MAX_EVENTS = 200;

type RecordRequest = { tenant: string; id: string; readerId: string; previousAt: Date | null };

type StoredEvent = { event: typeof onboardingEvent.$inferSelect; byName: string | null };

async function readEvents(store: Db, { tenant, id }: RecordRequest): Promise<StoredEvent[]> {
  return store
    .select({ event: onboardingEvent, byName: staff.name })
    .from(onboardingEvent)
    .leftJoin(staff, eq(staff.id, onboardingEvent.actor))
    .where(and(eq(onboardingEvent.tenant, tenant), eq(onboardingEvent.onboardingId, id)))
    .orderBy(desc(onboardingEvent.id))
    .limit(MAX_EVENTS);
}

const isSince = (at: Date, previousAt: Date | null) => previousAt !== null && at > previousAt;

function viewEvents(events: readonly StoredEvent[], { readerId, previousAt }: RecordRequest): EventView[] {
  return events.map(({ event: { id, at, kind, actor, detail }, byName }) => {
    const isMine = actor === readerId;
    return { id, at: at.toISOString(), kind, byName, isMine, isNew: !isMine && isSince(at, previousAt), detail };
  });
}

const USES: Partial<Record<OnboardingEventKind, LinkUse>> = { "link-shown": "shown", "link-copied": "copied" };

function usesOf(linkId: string, events: readonly StoredEvent[], readerId: string): LinkView["uses"] {
  return events.flatMap(({ event: { kind, detail, actor, at }, byName }) => {
    const use = USES[kind];
    if (use === undefined || detail["link"] !== linkId) return [];
    return [{ use, byName: byName ?? "", isMine: actor === readerId, at: at.toISOString() }];
  });
}

async function readLinks(store: Db, asked: RecordRequest, events: readonly StoredEvent[]): Promise<LinkView[]> {
  const links = await store
    .select()
    .from(onboardingLink)
    .where(and(eq(onboardingLink.tenant, asked.tenant), eq(onboardingLink.onboardingId, asked.id)))
    .orderBy(desc(onboardingLink.appearedAt), asc(onboardingLink.goneAt));
  return links.map(({ id, host, appearedAt, goneAt }) => ({
    id,
    host,
    appearedAt: appearedAt.toISOString(),
    goneAt: goneAt?.toISOString() ?? null,
    isNew: isSince(appearedAt, asked.previousAt),
    uses: usesOf(id, events, asked.readerId),
  }));
}

async function readAccount(
  store: Db,
  { tenant, accountId }: StoredOnboarding,
): Promise<OnboardingRecordView["account"]> {
  if (accountId === null) return null;
  const [found] = await store
    .select({ ref: account.ref, branch: account.branch, number: account.number })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return found ?? null;
}

async function rhythmOf(row: StoredOnboarding): Promise<OnboardingRecordView["rhythm"]> {
  if (row.nextCheckAt === null) return null;
  const everyMs = checkEveryMs(row.checkedAt.getTime() - row.firstSeenAt.getTime());
  const { isStale, failure } = await freshness(row.tenant, "onboarding");
  return { everyMs, nextAt: row.nextCheckAt.toISOString(), isStale, failure };
}

/** A host with a withdrawn biometric link may still serve it, so its links are not clickable. */
function viewMessages({ messages, biometricUrl }: StoredOnboarding, links: readonly LinkView[]): MessageView[] {
  const goneHosts = links.flatMap(({ host, goneAt }) => (goneAt === null ? [] : [host]));
  return messages.map(({ id, date, message, status, actionRequired, url }) => {
    const isOfLink = biometricUrl !== null && url === biometricUrl;
    const shown = isOfLink ? null : safeLink(url, env().isEmbedded);
    const isGone = shown !== null && goneHosts.includes(shown.host);
    const said = { date: maskWithin(isoOf(date)), message: maskWithin(message) };
    return { id, ...said, status, actionRequired, url: isGone ? null : shown, isOfLink };
  });
}

const readsNotes = (roles: readonly Role[]) => can(roles, "onboarding:follow") || can(roles, "audit:read");

async function readNotes(store: Db, actor: Actor, id: string): Promise<OnboardingRecordView["notes"]> {
  const reading = { tenant: actor.tenant, object: `onboarding:${id}`, readerId: actor.id } as const;
  if (readsNotes(actor.roles)) return { isReadable: true, notes: await listNotes(store, reading) };
  return { isReadable: false, count: await countNotes(store, reading) };
}

/** Audits the access; null when there is none with this id. */
export async function readRecord(actor: Actor<"onboarding:read">, id: string): Promise<OnboardingRecordView | null> {
  if (!isUuid(id)) return null;
  const { tenant, id: readerId } = actor;
  const store = await db();
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  if (row === undefined) return null;
  await recordAccess(actor, `onboarding:${id}`);
  const asked = { tenant, id, readerId, previousAt: await noteReading(actor, id) };
  const events = await readEvents(store, asked);
  const links = await readLinks(store, asked, events);
  const rows = await attemptsLike(store, row);
  const messages = viewMessages(row, links);
  const text = holderText(messages);
  const stops = stopsIn(text, await stoppedWordsOf(store, tenant)).map(({ word }) => word);
  const isSuperseded = rows.some(({ previousId }) => previousId === id);
  return {
    row: onboardingRow(row),
    onBoardingId: row.onBoardingId,
    traceId: row.traceId,
    steps: stepsOf({ ...row, hadLink: links.length > 0, isSuperseded }),
    rhythm: await rhythmOf(row),
    messages,
    holder: { text, stops: [...new Set(stops)], isOfLink: messages.some(({ isOfLink }) => isOfLink) },
    links,
    attempts: viewAttempts(rows, id),
    cases: await casesOf(store, tenant, shownOnboardingDocument(row)),
    account: await readAccount(store, row),
    events: viewEvents(events, asked),
    notes: await readNotes(store, actor, id),
  };
}
