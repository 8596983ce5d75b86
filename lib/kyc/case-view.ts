import { and, asc, eq } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { listFiles } from "@/lib/casework/file";
import { countNotes, listNotes } from "@/lib/casework/note";
import type { CaseFile, Note } from "@/lib/casework-terms";
import type { KycProcessName, KycStatus } from "@/lib/contract/kyc";
import { isStorable } from "@/lib/contract/shared";
import { env } from "@/lib/env";
import { look } from "@/lib/privacy/look";
import { type SafeLink, safeLink } from "@/lib/safe-link";
import { storeNow } from "@/lib/store/clock";
import { kycCase } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import type { ReadFailure } from "@/lib/page";
import { freshness } from "@/lib/watch";
import { caseRulesOf } from "./case-rules";
import { readsNotes } from "./confidence";
import { fitsMask } from "./mask";
import { type DecisionView, readDecisions } from "./decisions";
import { caseRows, type KycRow } from "./queue-rows";
import { readRelated, type Related } from "./related";
import { isDecided } from "./place";
import { kycRecord } from "./schema";
import { type StartedCase, shownStartOf } from "./started";
import { initialsOf, type StartView, startView } from "./start-view";
import { providerText } from "@/lib/unknown";

/** What the team wrote down about a case; to whoever may not read it, only how much that is. */
export type Casework =
  | { isReadable: true; notes: Note[]; files: CaseFile[]; isHeld: boolean }
  | { isReadable: false; notes: number; files: number };

export type CaseWebview = {
  link: SafeLink;
  /** Masked; null: the case's own. */
  vatNumber: string | null;
  /** The first letters of the partner's names, where the case was started here. */
  name: string | null;
};

export type KycCaseView = {
  row: KycRow;
  /** When the provider last answered for this case, and whether it should have been asked again by now. */
  asOf: string;
  isStale: boolean;
  failure: ReadFailure | null;
  /** The store's time as this was read. */
  now: string;
  dueSoonHours: number;
  /** What the provider says of each process of the case; its state is derived from all of them. */
  records: { process: KycProcessName; status: KycStatus }[];
  /** The pages where documents are shown, every one that was ever told of, each with whose it is. */
  webviews: CaseWebview[];
  /** How it was started here; null for one that was started elsewhere. */
  start: StartView | null;
  related: Related;
  decisions: DecisionView[];
  casework: Casework;
};

async function readCasework(actor: Actor<"kyc:read">, kycUUID: string): Promise<Casework> {
  const store = await db();
  const reading = { tenant: actor.tenant, object: `kyc:${kycUUID}`, readerId: actor.id } as const;
  const files = await listFiles(store, reading);
  if (!readsNotes(actor.roles)) {
    const kept = files.filter(({ removed }) => removed === null).length;
    return { isReadable: false, notes: await countNotes(store, reading), files: kept };
  }
  const isHeld = await isDecided(store, actor.tenant, kycUUID);
  return { isReadable: true, notes: await listNotes(store, reading), files, isHeld };
}

/** The name is known of the one partner whose document shows the same of itself under a mask. */
function webviewsOf(webviews: (typeof kycCase.$inferSelect)["webviews"], start: StartedCase | null): CaseWebview[] {
  return webviews.flatMap(({ vatNumber, url }) => {
    const link = safeLink(url, env().isEmbedded);
    const [member, another] =
      start?.members.filter((one) => vatNumber !== null && fitsMask(one.vatNumber, vatNumber)) ?? [];
    return link === null
      ? []
      : [
          {
            link,
            vatNumber: vatNumber && providerText(vatNumber),
            name: another === undefined && member !== undefined ? initialsOf(member.name) : null,
          },
        ];
  });
}

async function readRecords(store: Db, tenant: string, kycUUID: string) {
  const { process, status } = kycRecord;
  return store
    .select({ process, status })
    .from(kycRecord)
    .where(and(eq(kycRecord.tenant, tenant), eq(kycRecord.kycUUID, kycUUID)))
    .orderBy(asc(process));
}

/**
 * One case with all that is known of it here, and that this person looked at it is on record; null when the watch has not
 * seen it.
 */
export async function readCase(actor: Actor<"kyc:read">, kycUUID: string): Promise<KycCaseView | null> {
  if (!isStorable(kycUUID)) return null;
  const store = await db();
  const { tenant, roles } = actor;
  const [found] = await store
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), eq(kycCase.kycUUID, kycUUID)));
  if (found === undefined) return null;
  const [row] = await caseRows(store, tenant, [found]);
  if (row === undefined) return null;
  await look(actor, `kyc:${kycUUID}`);
  const start = await shownStartOf(store, tenant, kycUUID);
  const { isStale, failure } = await freshness(tenant, "kyc");
  const { rules } = await caseRulesOf(store, tenant);
  return {
    row,
    asOf: found.seenAt.toISOString(),
    isStale,
    failure,
    now: (await storeNow(store)).toISOString(),
    dueSoonHours: rules.dueSoonHours,
    records: await readRecords(store, tenant, kycUUID),
    webviews: webviewsOf(found.webviews, start),
    start: start && startView(start),
    related: await readRelated(store, { tenant, kycUUID, vatNumber: row.vatNumber, start }),
    decisions: await readDecisions(store, { tenant, kycUUID, readsNotes: readsNotes(roles) }),
    casework: await readCasework(actor, kycUUID),
  };
}
