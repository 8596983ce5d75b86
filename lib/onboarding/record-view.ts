import { and, asc, desc, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { can, type Role } from "@/lib/auth/permission";
import { countNotes, listNotes } from "@/lib/casework/note";
import type { Note } from "@/lib/casework-terms";
import { maskWithin } from "@/lib/contract/document";
import { env } from "@/lib/env";
import { casesOf, stoppedWordsOf } from "@/lib/kyc/records";
import type { Related } from "@/lib/kyc/queries";
import type { LinkUse } from "@/lib/onboarding-view";
import { look } from "@/lib/privacy/look";
import { type SafeLink, safeLink } from "@/lib/safe-link";
import { shownOnboardingDocument } from "@/lib/store/document";
import { account, onboarding, staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { stopsIn } from "@/lib/tipping-off";
import { isUuid } from "@/lib/uuid";
import type { Fresh } from "@/lib/page";
import { freshness } from "@/lib/watch";
import { type AttemptRow, attemptsLike } from "./attempts";
import { type AttemptsView, viewAttempts } from "./attempts-view";
import type { OnboardingEventKind } from "./events";
import { holderText } from "./holder-text";
import { type OnboardingRow, toRow } from "./queue";
import { noteReading } from "./readings";
import { checkEveryMs } from "./rules";
import { onboardingEvent, onboardingLink } from "./schema";
import { stepsOf } from "./standing";

export type MessageView = {
  id: string;
  date: string;
  message: string;
  status: string;
  actionRequired: boolean;
  url: SafeLink | null;
  /** It speaks of the biometric link, which is in no page: whoever takes it does so on record. */
  isOfLink: boolean;
};

export type LinkView = {
  id: string;
  host: string;
  appearedAt: string;
  /** Null: it is the one to use. */
  goneAt: string | null;
  /** It came since the reader last looked. */
  isNew: boolean;
  uses: { use: LinkUse; byName: string; isMine: boolean; at: string }[];
};

export type EventView = {
  id: number;
  at: string;
  kind: OnboardingEventKind;
  /** Null: the provider, or nobody. */
  byName: string | null;
  isMine: boolean;
  isNew: boolean;
  detail: Readonly<Record<string, string | number | boolean | null>>;
};

export type OnboardingRecordView = {
  row: OnboardingRow;
  /** The provider's; null when it was found by document and never listed. */
  onBoardingId: string | null;
  traceId: string | null;
  steps: ReturnType<typeof stepsOf>;
  /** How often it is looked at by itself, and when next; null once it has ended. */
  rhythm: ({ everyMs: number; nextAt: string } & Pick<Fresh, "isStale" | "failure">) | null;
  messages: MessageView[];
  /** What the holder may be told, and the words in it that would tip them off. */
  holder: { text: string; stops: string[]; isOfLink: boolean };
  links: LinkView[];
  attempts: AttemptsView;
  cases: Related["cases"];
  account: { ref: string; branch: string; number: string } | null;
  /** Newest first. */
  events: EventView[];
  /** What the team wrote down; to whoever may not read it, only how much that is. */
  notes: { isReadable: true; notes: Note[] } | { isReadable: false; count: number };
};

const MOST_EVENTS = 200;

type Asked = { tenant: string; id: string; readerId: string; previousAt: Date | null };

type Told = { event: typeof onboardingEvent.$inferSelect; byName: string | null };

async function readEvents(store: Db, { tenant, id }: Asked): Promise<Told[]> {
  return store
    .select({ event: onboardingEvent, byName: staff.name })
    .from(onboardingEvent)
    .leftJoin(staff, eq(staff.id, onboardingEvent.actor))
    .where(and(eq(onboardingEvent.tenant, tenant), eq(onboardingEvent.onboardingId, id)))
    .orderBy(desc(onboardingEvent.id))
    .limit(MOST_EVENTS);
}

const isSince = (at: Date, previousAt: Date | null) => previousAt !== null && at > previousAt;

function viewEvents(told: readonly Told[], { readerId, previousAt }: Asked): EventView[] {
  return told.map(({ event: { id, at, kind, actor, detail }, byName }) => {
    const isMine = actor === readerId;
    return { id, at: at.toISOString(), kind, byName, isMine, isNew: !isMine && isSince(at, previousAt), detail };
  });
}

const USES: Partial<Record<OnboardingEventKind, LinkUse>> = { "link-shown": "shown", "link-copied": "copied" };

function usesOf(linkId: string, told: readonly Told[], readerId: string): LinkView["uses"] {
  return told.flatMap(({ event: { kind, detail, actor, at }, byName }) => {
    const use = USES[kind];
    if (use === undefined || detail["link"] !== linkId) return [];
    return [{ use, byName: byName ?? "", isMine: actor === readerId, at: at.toISOString() }];
  });
}

async function readLinks(store: Db, asked: Asked, told: readonly Told[]): Promise<LinkView[]> {
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
    uses: usesOf(id, told, asked.readerId),
  }));
}

async function readAccount(store: Db, { tenant, accountId }: AttemptRow): Promise<OnboardingRecordView["account"]> {
  if (accountId === null) return null;
  const [found] = await store
    .select({ ref: account.ref, branch: account.branch, number: account.number })
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  return found ?? null;
}

async function rhythmOf(row: AttemptRow): Promise<OnboardingRecordView["rhythm"]> {
  if (row.nextCheckAt === null) return null;
  const everyMs = checkEveryMs(row.checkedAt.getTime() - row.firstSeenAt.getTime());
  const { isStale, failure } = await freshness(row.tenant, "onboarding");
  return { everyMs, nextAt: row.nextCheckAt.toISOString(), isStale, failure };
}

function viewMessages({ messages, biometricUrl }: AttemptRow): MessageView[] {
  return messages.map(({ id, date, message, status, actionRequired, url }) => {
    const isOfLink = biometricUrl !== null && url === biometricUrl;
    const shown = isOfLink ? null : safeLink(url, env().isEmbedded);
    return { id, date, message: maskWithin(message), status, actionRequired, url: shown, isOfLink };
  });
}

/** Who works the queue, or audits. */
const readsNotes = (roles: readonly Role[]) => can(roles, "onboarding:follow") || can(roles, "audit:read");

async function readNotes(store: Db, actor: Actor, id: string): Promise<OnboardingRecordView["notes"]> {
  const reading = { tenant: actor.tenant, object: `onboarding:${id}`, readerId: actor.id } as const;
  if (readsNotes(actor.roles)) return { isReadable: true, notes: await listNotes(store, reading) };
  return { isReadable: false, count: await countNotes(store, reading) };
}

/** One onboarding, and that this person looked at it is on record; null when there is none with this id. */
export async function readRecord(actor: Actor<"onboarding:read">, id: string): Promise<OnboardingRecordView | null> {
  if (!isUuid(id)) return null;
  const { tenant, id: readerId } = actor;
  const store = await db();
  const [row] = await store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  if (row === undefined) return null;
  await look(actor, `onboarding:${id}`);
  const asked = { tenant, id, readerId, previousAt: await noteReading(actor, id) };
  const told = await readEvents(store, asked);
  const links = await readLinks(store, asked, told);
  const rows = await attemptsLike(store, row);
  const messages = viewMessages(row);
  const text = holderText(messages);
  const stops = stopsIn(text, await stoppedWordsOf(store, tenant)).map(({ word }) => word);
  const isSuperseded = rows.some(({ previousId }) => previousId === id);
  return {
    row: toRow(row),
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
    events: viewEvents(told, asked),
    notes: await readNotes(store, actor, id),
  };
}
