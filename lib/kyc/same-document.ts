import { and, desc, eq, inArray, ne, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { maskDocument, namedDocument } from "@/lib/contract/document";
import { normaliseDocument } from "@/lib/contract/fold";
import { type Db, db } from "@/lib/db/connection";
import { lookupHashes } from "@/lib/db/seal";
import { kycCase, kycStart } from "@/lib/db/tables/kyc";
import type { Actor } from "@/lib/permission/grant";
import { shownOfDocument } from "@/lib/text/typed-document";
import { type CaseKey, whereCase } from "./holder";
import type { SameDocumentQuery } from "./inputs";
import { beginningShown } from "./beginning-shown";
import { casesOf, SHOWN } from "./records";
import type { SameDocument } from "./view";

export const beginsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const shownBy = (key: CaseKey) => sql`(select nullif(${SHOWN}, '') from ${kycCase} where ${whereCase(key)})`;

export const hasSameMask = (tenant: string, kycUUID: string): SQL => sql`${SHOWN} = ${shownBy({ tenant, kycUUID })}`;

const hashOf = ({ tenant, kycUUID }: CaseKey) =>
  sql`(select document_hash from ${kycStart} where tenant = ${tenant} and kyc_uuid = ${kycUUID})`;

const keyOf = (hash: SQLWrapper) => sql`split_part(${hash}, ':', 1)`;

/** Cases started here with its document, and those with only the same mask. */
export function hasSameDocument(tenant: string, kycUUID: string): SQL {
  const key = { tenant, kycUUID };
  const like = alias(kycCase, "like_case");
  const start = alias(kycStart, "like_start");
  const own = hashOf(key);
  const shown = sql`regexp_replace(${like.vatNumber}, '[^0-9A-Za-z]', '', 'g')`;
  // Hashes under two keys cannot be compared.
  const isAnother = sql`${start.documentHash} is not null
    and (${own} is null or (${start.documentHash} <> ${own} and ${keyOf(start.documentHash)} = ${keyOf(own)}))`;
  return sql`${kycCase.kycUUID} in (
    select ${like.kycUUID} from ${kycCase} as ${sql.identifier("like_case")}
      left join ${kycStart} as ${sql.identifier("like_start")}
        on ${and(eq(start.tenant, like.tenant), eq(start.kycUUID, like.kycUUID))}
      where ${eq(like.tenant, tenant)} and ${shown} = ${shownBy(key)} and not (${isAnother})
    union
    select kyc_uuid from ${kycStart} where tenant = ${tenant} and document_hash = ${own})`;
}

export async function sureOfDocument(store: Db, key: CaseKey, kycUUIDs: readonly string[]): Promise<Set<string>> {
  const rows = await store
    .select({ kycUUID: kycStart.kycUUID })
    .from(kycStart)
    .where(
      and(
        eq(kycStart.tenant, key.tenant),
        inArray(kycStart.kycUUID, [...kycUUIDs]),
        sql`${kycStart.documentHash} = ${hashOf(key)}`,
      ),
    );
  return new Set(rows.flatMap(({ kycUUID }) => (kycUUID === null ? [] : [kycUUID])));
}

async function findByMask(store: Db, tenant: string, query: string): Promise<string | null> {
  const masked = shownOfDocument(query);
  const shown = masked ?? beginningShown(query);
  const isExact = sql`${SHOWN} = ${shown}`;
  const isPart =
    masked === null
      ? or(sql`${kycCase.kycUUID} like ${beginsWith(query)}`, sql`${SHOWN} like ${beginsWith(shown ?? query)}`)
      : undefined;
  const [row] = await store
    .select({ kycUUID: kycCase.kycUUID })
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), ne(SHOWN, ""), or(isExact, isPart)))
    .orderBy(desc(isExact), desc(kycCase.seq))
    .limit(1);
  return row?.kycUUID ?? null;
}

async function findWhole(store: Db, tenant: string, document: string): Promise<string | null> {
  const [found] = await casesOf(store, tenant, { mask: maskDocument(document), hashes: lookupHashes(document) });
  return found?.kycUUID ?? null;
}

const IN_FULL = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/;

/** A whole document is found by its hash, and by its mask when nothing is known; a masked one by the mask alone. */
export async function findSameDocument(
  { tenant }: Actor<"kyc:read">,
  { query }: z.output<typeof SameDocumentQuery>,
): Promise<SameDocument> {
  const store = await db();
  const named = namedDocument(query);
  if (named.kind === "one") return { kycUUID: await findWhole(store, tenant, named.document), by: "document" };
  if (IN_FULL.test(normaliseDocument(query))) return { kycUUID: null, by: "document" };
  const kycUUID = await findByMask(store, tenant, query);
  if (kycUUID !== null || named.kind !== "restored") return { kycUUID, by: "mask" };
  for (const one of named.documents) {
    const whole = await findWhole(store, tenant, one);
    if (whole !== null) return { kycUUID: whole, by: "document", restored: maskDocument(one) };
  }
  const [restored] = named.documents.map(maskDocument);
  return { kycUUID: null, by: "document", ...(restored === undefined ? {} : { restored }) };
}
