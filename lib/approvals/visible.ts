import { APPROVAL_KIND_NAMES, type ApprovalKindName } from "@/lib/permission/writes";
import { and, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { isUnsentSql } from "@/lib/provider/intents/intent-record";
import { maskWithin } from "@/lib/contract/document";
import { readDecision } from "./snapshot";
import { decidingPermission } from "./view";

type Reader = Pick<Actor, "tenant" | "id" | "roles">;

export const decidesKind = ({ roles }: Reader, kind: ApprovalKindName): boolean => can(roles, decidingPermission(kind));

export const decidedBy = (reader: Reader): ApprovalKindName[] =>
  APPROVAL_KIND_NAMES.filter((kind) => decidesKind(reader, kind));

/** People see their own requests and those they may decide; auditors see all. */
export function visibleTo(reader: Reader): SQL | undefined {
  const isForReader = or(eq(approval.makerId, reader.id), inArray(approval.kind, decidedBy(reader)));
  return and(eq(approval.tenant, reader.tenant), can(reader.roles, "audit:read") ? undefined : isForReader);
}

/** How a request's sent write ended: refused by the provider, or as a person settled it; null when nothing was sent. */
export const leftAs = sql<
  "refused" | "said" | null
>`(select case when ${providerIntent.endedBy} is null then 'refused' else 'said' end
  from ${providerIntent} where ${providerIntent.tenant} = ${approval.tenant} and ${providerIntent.id} = ${approval.intentId}
  and ${providerIntent.state} = 'REFUSED' and not ${isUnsentSql})`;

/** The requests behind these writes, by intent, as far as the reader may see them. */
export async function requestsOf(
  store: Db | Tx,
  reader: Reader,
  intentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (intentIds.length === 0 || !can(reader.roles, "approvals:read")) return new Map();
  const rows = await store
    .select({ intentId: approval.intentId, id: approval.id })
    .from(approval)
    .where(and(visibleTo(reader), inArray(approval.intentId, [...intentIds])));
  return new Map(rows.map(({ intentId, id }) => [intentId, id]));
}

/** Why a second person rejected these writes, by intent, documents masked, for who may open the request. */
export async function rejectionsOf(
  store: Db | Tx,
  reader: Reader,
  intentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (intentIds.length === 0 || !can(reader.roles, "approvals:read")) return new Map();
  const rows = await store
    .select()
    .from(approval)
    .where(and(visibleTo(reader), eq(approval.state, "REFUSED"), inArray(approval.intentId, [...intentIds])))
    .orderBy(approval.createdAt);
  const read = await Promise.all(rows.map(async (row) => [row.intentId, (await readDecision(row))?.reason] as const));
  return new Map(read.flatMap(([id, reason]) => (reason == null ? [] : [[id, maskWithin(reason)] as const])));
}
