import { and, desc, eq, gt, inArray, isNull, or, type SQL } from "drizzle-orm";
import { parseJson } from "@/lib/contract/json";
import { within } from "@/lib/db/clock";
import type { Db, Tx } from "@/lib/db/connection";
import { shownSealed } from "@/lib/db/seal";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { jsonOrUndefined } from "@/lib/text/decode";
import { minutesOf } from "@/lib/text/period";
import { isUnopened } from "@/lib/text/provider-word";
import { showBody } from "@/lib/text/shown-body";
import type { ReceivedFilter } from "./inputs";
import { SEARCHED_MAX } from "./view";

export const isWaiting = eq(webhookEvent.state, "WAITING");
export const needsAttention = or(
  eq(webhookEvent.state, "GIVEN_UP"),
  eq(webhookEvent.state, "FOREIGN"),
  gt(webhookEvent.otherBodies, 0),
);

const VIEWS: Record<ReceivedFilter["view"], SQL | undefined> = {
  all: undefined,
  waiting: isWaiting,
  "needs-attention": needsAttention,
};

const aboutOf = (about: ReceivedFilter["about"]): SQL | undefined => {
  if (about === undefined) return undefined;
  return about === "nothing" ? isNull(webhookEvent.wakes) : eq(webhookEvent.wakes, about);
};

function byColumns(tenant: string, filter: ReceivedFilter): SQL | undefined {
  const { search, outcome } = filter;
  const { eventId, event, object, receivedAt, state } = webhookEvent;
  return and(
    eq(webhookEvent.tenant, tenant),
    search === undefined ? undefined : or(eq(eventId, search), eq(event, search), eq(object, search)),
    filter.event && eq(event, filter.event),
    outcome && eq(state, outcome),
    aboutOf(filter.about),
    within(receivedAt, minutesOf(filter)),
  );
}

const plain = (text: string) => text.normalize("NFKC").toLowerCase();

/** What a person sees of it: what is hidden from them cannot be found out by searching either. */
function isShownIn(text: string, sealed: string, place: { tenant: string; id: string }): boolean {
  const body = shownSealed(sealed, { column: "webhook_event.body_sealed", row: [place.tenant, place.id] });
  if (isUnopened(body)) return false;
  const payload = jsonOrUndefined(body, parseJson);
  if (payload === undefined) return false;
  return showBody(payload).fields.some(({ path, value }) => plain(`${path}\n${value}`).includes(text));
}

/** `inEveryView`: without the filter's view. `searched`: only so many of the newest were opened for a text; null: no text. */
type Matching = { fits: SQL | undefined; inEveryView: SQL | undefined; searched: number | null };

/** Bodies are sealed, so a text is looked for in the newest of those that everything else fits. */
export async function matching(store: Db | Tx, tenant: string, filter: ReceivedFilter): Promise<Matching> {
  const columns = byColumns(tenant, filter);
  const view = VIEWS[filter.view];
  const { text } = filter;
  if (text === undefined) return { fits: and(columns, view), inEveryView: columns, searched: null };
  const { id, bodySealed, headers } = webhookEvent;
  const newest = await store
    .select({ id, bodySealed, headers })
    .from(webhookEvent)
    .where(columns)
    .orderBy(desc(webhookEvent.seq))
    .limit(SEARCHED_MAX + 1);
  const opened = newest.slice(0, SEARCHED_MAX);
  const sought = plain(text);
  const found = opened.filter(
    (one) =>
      Object.values(one.headers ?? {}).some((value) => plain(value).includes(sought)) ||
      isShownIn(sought, one.bodySealed, { tenant, id: one.id }),
  );
  const inEveryView = and(
    eq(webhookEvent.tenant, tenant),
    inArray(
      id,
      found.map((one) => one.id),
    ),
  );
  return { fits: and(inEveryView, view), inEveryView, searched: newest.length > SEARCHED_MAX ? SEARCHED_MAX : null };
}
