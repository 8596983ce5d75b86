import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { z } from "zod";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { isProviderTrouble } from "@/lib/provider/answer";
import { AppError } from "@/lib/errors/app-error";
import { claimIntent } from "@/lib/provider/intents/claim";
import { addNote, retractNote } from "@/lib/notes/note";
import type { NoteTarget } from "@/lib/notes/target";
import type { Noting, Retracting } from "@/lib/notes/inputs";
import { publish } from "@/lib/db/publish";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { onboardingDocument, shownOnboardingDocument } from "@/lib/db/document";
import { maskDocument, restoredDocuments } from "@/lib/contract/document";
import { onboarding } from "@/lib/db/tables/customers";
import { onboardingLink } from "@/lib/db/tables/onboarding";
import { lookupHashes } from "@/lib/db/seal";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { isUuid } from "@/lib/text/decode";
import { handLink, LINK_KINDS, LINK_STEPS, type TakenLink } from "@/lib/text/handed-link";
import { safeLink } from "@/lib/text/safe-link";
import { findStored, noteOnboardingEvents, refreshOnboarding, type SavedOnboarding } from "./records";
import { CustomerQuery, isTypedDocument } from "./inputs";

export const Checking = z.object({ id: z.uuid() });

/** After a check, so that repeated presses cost one call. */
export const CHECK_REST_MS = 10_000;

/** `isAsked`: just now, not a moment ago. `restMs`: until it may be asked again. */
type Checked = { id: string; isAsked: boolean; restMs: number };

export async function check(actor: Actor<"onboarding:read">, { id }: z.output<typeof Checking>): Promise<Checked> {
  const { tenant } = actor;
  const store = await db();
  const isIt = and(eq(onboarding.tenant, tenant), eq(onboarding.id, id));
  const [row] = await store.select().from(onboarding).where(isIt);
  if (row === undefined) throw new AppError("not-found");
  const restedMs = row.askedAt === null ? CHECK_REST_MS : (await storeNow(store)).getTime() - row.askedAt.getTime();
  if (restedMs < CHECK_REST_MS) return { id, isAsked: false, restMs: CHECK_REST_MS - restedMs };
  const stored = await refreshOnboarding(actor, row.onBoardingId ?? onboardingDocument(row), {
    also: async (tx) => {
      await tx
        .update(onboarding)
        .set({ askedAt: sql`clock_timestamp()` })
        .where(isIt);
      const what = { code: "onboarding.check", outcome: "DONE", object: `onboarding:${id}` } as const;
      await record(tx, { tenant, actor: actor.id, ...what });
    },
  });
  return { id: stored.id, isAsked: true, restMs: CHECK_REST_MS };
}

export const Finding = z.object({ query: CustomerQuery });

/** `id`: null when nobody or several people match. `restored`: the masked document whose zeros were missing. */
type FoundPerson = { id: string | null; people: number; restored?: string };

const PREFIX_MIN_LENGTH = 4;
/** With more matches the prefix is too short. */
const MAX_ALIKE = 20;

const beginsWith = (typed: string) => sql`starts_with(${onboarding.onBoardingId}, ${typed})`;

function selectFollowed(store: Db, tenant: string, query: string) {
  const isIt = isTypedDocument(query)
    ? inArray(onboarding.documentHash, lookupHashes(query))
    : or(
        eq(onboarding.onBoardingId, query),
        isUuid(query) ? eq(onboarding.id, query) : undefined,
        query.length < PREFIX_MIN_LENGTH ? undefined : beginsWith(query),
      );
  return store
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), isIt))
    .orderBy(desc(sql`${onboarding.onBoardingId} = ${query}`), desc(onboarding.seq))
    .limit(MAX_ALIKE);
}

/**
 * By CPF, CNPJ (also without the zeros that a spreadsheet dropped), id or its beginning, in the store. Nothing typed
 * reaches a URL: the answer is our id.
 */
export async function findFollowed(
  { tenant }: Actor<"onboarding:read">,
  { query }: z.output<typeof Finding>,
): Promise<FoundPerson> {
  const store = await db();
  const rows = await selectFollowed(store, tenant, query);
  for (const document of rows.length === 0 ? restoredDocuments(query) : []) {
    const [row] = await selectFollowed(store, tenant, document);
    if (row !== undefined) return { id: row.id, people: 1, restored: maskDocument(document) };
  }
  const exact = rows.filter(({ id, onBoardingId }) => id === query || onBoardingId === query);
  const found = exact.length > 0 ? exact : rows;
  const people = new Set(found.map((row) => shownOnboardingDocument(row).hashes[0])).size;
  return { id: people === 1 ? (found[0]?.id ?? null) : null, people };
}

const onboardingAt = (tenant: string, id: string): NoteTarget => ({
  object: `onboarding:${id}`,
  isThere: async (tx) =>
    isUuid(id) && (await tx.$count(onboarding, and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)))) > 0,
  isHeld: async () => false,
  notify: async (tx, { kind, by: actor, ...detail }) => {
    await noteOnboardingEvents(tx, [{ tenant, onboardingId: id, kind, actor, detail }]);
    await publish(tx, { tenant, topic: "onboarding", object: id });
  },
});

export const noteOnOnboarding = (actor: Actor<"onboarding:follow">, { id, ...note }: Noting): Promise<null> =>
  addNote(actor, onboardingAt(actor.tenant, id), note);

export const retractOnOnboarding = (actor: Actor<"onboarding:follow">, { id, noteId }: Retracting): Promise<null> =>
  retractNote(actor, onboardingAt(actor.tenant, id), noteId);

export const Taking = z.object({ id: z.uuid(), use: z.enum(LINK_STEPS) });

const isUnknown = (error: unknown) => error instanceof AppError && error.kind === "not-found";

type Taker = Actor<"onboarding:follow">;

async function rowOf(tx: Db | Tx, { tenant }: Taker, id: string) {
  const [row] = await tx
    .select()
    .from(onboarding)
    .where(and(eq(onboarding.tenant, tenant), eq(onboarding.id, id)));
  if (row === undefined) throw new AppError("not-found");
  return row;
}

async function openLink(tx: Tx, tenant: string, onboardingId: string): Promise<string | null> {
  const [link] = await tx
    .select({ id: onboardingLink.id })
    .from(onboardingLink)
    .where(
      and(
        eq(onboardingLink.tenant, tenant),
        eq(onboardingLink.onboardingId, onboardingId),
        isNull(onboardingLink.goneAt),
      ),
    )
    .orderBy(desc(onboardingLink.appearedAt))
    .limit(1);
  return link?.id ?? null;
}

async function takeStored(
  tx: Tx,
  actor: Taker,
  { id, use }: z.output<typeof Taking>,
): Promise<TakenLink | "link-gone" | "link-unsafe"> {
  const { tenant, id: staffId } = actor;
  const taken = handLink(safeLink((await rowOf(tx, actor, id)).biometricUrl, env().isEmbedded), use);
  if (typeof taken === "string") return taken;
  const detail = { link: await openLink(tx, tenant, id) };
  if (use !== "taken") {
    await noteOnboardingEvents(tx, [{ tenant, onboardingId: id, kind: LINK_KINDS[use], actor: staffId, detail }]);
    await publish(tx, { tenant, topic: "onboarding", object: id });
  }
  const what = { code: "onboarding.link", outcome: "DONE", object: `onboarding:${id}` } as const;
  await record(tx, { tenant, actor: staffId, ...what, detail: { use, ...detail } });
  return taken;
}

/** The provider's current link, as it may have changed, and of a copied one the read one; the last read one while the provider does not answer. */
async function takeNow(actor: Taker, wanted: z.output<typeof Taking>): ReturnType<typeof takeStored> {
  const store = await db();
  if (wanted.use === "copied") return store.transaction((tx) => takeStored(tx, actor, wanted));
  const row = await rowOf(store, actor, wanted.id);
  let taken: Awaited<ReturnType<typeof takeStored>> = "link-gone";
  const also = async (tx: Tx) => {
    taken = await takeStored(tx, actor, wanted);
  };
  try {
    await refreshOnboarding(actor, row.onBoardingId ?? onboardingDocument(row), { isFresh: true, also });
    return taken;
  } catch (error) {
    if (!(error instanceof AppError) || !(isUnknown(error) || isProviderTrouble(error.kind))) throw error;
    return store.transaction((tx) => takeStored(tx, actor, wanted));
  }
}

/** Audited before it is returned; a part of the history once it was shown or copied. Throws not-found, conflict `link-gone` and `link-unsafe`. */
export async function takeLink(actor: Taker, wanted: z.output<typeof Taking>): Promise<TakenLink> {
  const taken = await takeNow(actor, wanted);
  if (typeof taken === "string") throw new AppError("conflict", { code: taken });
  return taken;
}

export const Following = z.object({ query: CustomerQuery, intentId: z.uuid() });

type Followed = { id: string; isKnown: boolean };

/** A stored one is found even when the provider no longer knows it. Throws not-found `onboarding-unknown`. */
export async function follow(
  actor: Actor<"onboarding:follow">,
  { query, intentId }: z.output<typeof Following>,
): Promise<Followed> {
  const { tenant, id: staffId } = actor;
  const known = await findStored(await db(), tenant, query);
  const also = async (tx: Tx, { id, isNew }: SavedOnboarding) => {
    const claimed = { tenant, id: intentId, kind: "onboarding.follow", actor: staffId, isProposed: false };
    await claimIntent(tx, { ...claimed, bytes: query });
    if (isNew) await noteOnboardingEvents(tx, [{ tenant, onboardingId: id, kind: "followed", actor: staffId }]);
    const object = `onboarding:${id}`;
    await record(tx, { tenant, actor: staffId, code: "onboarding.follow", outcome: "DONE", object, intentId });
  };
  try {
    const { id, isNew } = await refreshOnboarding(actor, query, { also });
    return { id, isKnown: !isNew };
  } catch (error) {
    if (!isUnknown(error)) throw error;
    if (known === null) throw new AppError("not-found", { code: "onboarding-unknown" });
    return { id: known.id, isKnown: true };
  }
}
