import { and, count, eq } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { type Role, ROLES } from "@/lib/permission/permission";
import { readRoster } from "@/lib/auth/roster";
import { isLiving, needsSecondFactor } from "@/lib/auth/sessions";
import { staffIdentity, staffSession } from "@/lib/db/tables/auth";
import { env } from "@/lib/settings/env";
import type { Page } from "@/lib/text/page";
import { query } from "@/lib/query";
import { storeNow } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import type { Denial } from "@/lib/errors/denial";
import { isUuid } from "@/lib/text/decode";
import { civilDay } from "@/lib/text/time";
import { DEMO_PASSWORD, DEMO_PEOPLE, DEMO_SECOND_ADMIN } from "./records";
import {
  type HistoryEntry,
  type ListedPerson,
  readHistory,
  readLastActive,
  readPeople,
  readStaff,
  staffRow,
} from "./listing";
import { type StaffDenial, staffCan } from "./can";
import { isOpen } from "./invitations";
import { type LeftBehind, readLeftBehind } from "./left-behind";
import { readLinked } from "./password-links";
import { listReviews } from "./access-review";
import { exportAccessList } from "./export-access";
import type { StaffRow } from "./inputs";
import type { ReviewStep } from "./view";

export { isOpen };
export type { AccessFileColumn } from "./export-access";

export const rolesWithFactor = (): readonly Role[] => ROLES.filter((role) => needsSecondFactor([role]));

export type DemoSignIn = { role: Role; email: string; password: string; isSecond: boolean };

/** Only with the embedded service. */
export function listDemoSignIns(): DemoSignIn[] {
  if (!env().isEmbedded) return [];
  return DEMO_PEOPLE.map(({ role, email }) => {
    return { role, email, password: DEMO_PASSWORD, isSecond: email === DEMO_SECOND_ADMIN.email };
  });
}

export const sendsMail = (): boolean => env().mail !== null;

export type StaffList = Page<StaffRow>;

/** All at once, filtered in the browser: no name is in a URL. */
export const listStaff = query("staff:manage", async (actor): Promise<StaffList> => {
  const asOf = new Date().toISOString();
  const read = await readStaff(await db(), actor.tenant);
  const rows = read.map((row) => ({ ...row, isSelf: row.id === actor.id }));
  return { rows, page: 1, totalPages: 1, total: rows.length, asOf, isStale: false, failure: null };
});

/** `reviews`: newest first. `isLate`: the day of the next one has passed. */
export type AccessReviewView = {
  people: StaffRow[];
  reviews: ReviewStep[];
  isLate: boolean;
  today: string;
  asOf: string;
};

export const getAccessReview = query("audit:read", async (actor): Promise<AccessReviewView> => {
  const store = await db();
  const now = await storeNow(store);
  const read = await readStaff(store, actor.tenant);
  const reviews = await listReviews(store, actor.tenant);
  const today = civilDay(now);
  return {
    people: read.map((row) => ({ ...row, isSelf: row.id === actor.id })),
    reviews,
    isLate: reviews[0] !== undefined && reviews[0].nextOn < today,
    today,
    asOf: now.toISOString(),
  };
});

export const exportAccess = query("audit:export", exportAccessList);

export type PersonView = {
  row: StaffRow;
  joinedAt: string;
  openSessions: number;
  /** Roles come from the company's single sign-on. */
  hasSingleSignOn: boolean;
  denials: Record<"access" | "enabling" | "factor" | "password", StaffDenial | null>;
  /** Without a mail server the admin sees password links. */
  isLinkShown: boolean;
  history: HistoryEntry[];
  /** Null of who is disabled already. */
  leaves: LeftBehind | null;
  asOf: string;
};

async function countOpenSessions(store: Db, staffId: string): Promise<number> {
  const [row] = await store
    .select({ n: count() })
    .from(staffSession)
    .where(and(eq(staffSession.staffId, staffId), isLiving(env().sessionIdleMs)));
  return row?.n ?? 0;
}

const codeOf = (denial: Denial<StaffDenial> | null) => denial?.code ?? null;

async function denialsOf(store: Db, actor: Actor, { person }: ListedPerson): Promise<PersonView["denials"]> {
  const linked = await readLinked(store, { manager: actor, staffId: person.id }, env().mail === null);
  return {
    access: codeOf(staffCan.change(linked)),
    enabling: codeOf(staffCan.enable({ ...linked, isClosed: person.disabledAt !== null })),
    factor: codeOf(staffCan.resetFactor(linked)),
    password: codeOf(staffCan.issueLink(linked)),
  };
}

const leavesOf = async (store: Db, who: { tenant: string; staffId: string }) =>
  readLeftBehind(store, who, await readRoster(store, who.tenant));

export const getPerson = query("staff:manage", async (actor, staffId: string): Promise<PersonView | null> => {
  if (!isUuid(staffId)) return null;
  const store = await db();
  const [found] = await readPeople(store, actor.tenant, staffId);
  if (found === undefined) return null;
  const lastActive = await readLastActive(store, actor.tenant, [staffId]);
  const linked = await store.select().from(staffIdentity).where(eq(staffIdentity.staffId, staffId)).limit(1);
  return {
    row: { ...staffRow(found), lastActiveAt: lastActive.get(staffId) ?? null, isSelf: staffId === actor.id },
    joinedAt: found.membership.joinedAt.toISOString(),
    openSessions: await countOpenSessions(store, staffId),
    hasSingleSignOn: linked.length > 0,
    denials: await denialsOf(store, actor, found),
    isLinkShown: env().mail === null,
    history: await readHistory(store, actor.tenant, staffId),
    leaves: found.membership.disabledAt === null ? await leavesOf(store, { tenant: actor.tenant, staffId }) : null,
    asOf: new Date().toISOString(),
  };
});
