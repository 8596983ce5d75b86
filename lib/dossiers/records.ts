import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, isNull, lt, ne } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { signingKey } from "@/lib/audit/head";
import { recordAll } from "@/lib/audit/record";
import { findIntent, type Intent, ofIntent } from "@/lib/provider/intents/intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { env } from "@/lib/settings/env";
import { storeNow } from "@/lib/db/clock";
import { seal, unseal } from "@/lib/db/seal";
import type { SealedColumn } from "@/lib/db/sealed-columns";
import { type Db, db, type Tx } from "@/lib/db/connection";
import { sha256 } from "@/lib/text/decode";
import { sealFile, canonicalJson } from "./file";
import { Snapshot, type Outcome, ProviderAnswer, Sections } from "./contents";
import { fileNameOf, printCase } from "./pdf";
import { dossier } from "@/lib/db/tables/dossiers";

type DossierRow = typeof dossier.$inferSelect;
type DossierKey = { tenant: string; id: string };

const targetOf = (column: Extract<SealedColumn, `dossier.${string}`>, { tenant, id }: DossierKey) => ({
  column,
  row: [tenant, id],
});

const isRow = ({ tenant, id }: DossierKey) => and(eq(dossier.tenant, tenant), eq(dossier.id, id));

export type Evidence = Omit<Snapshot, "about" | "frozenAt">;
type Recheck = Omit<ProviderAnswer, "use" | "sha256">;

type DossierRequest = { tenant: string; intentId: string; staffId: string; object: string };

/** Runs once per opening, in the intent's transaction. Returns the hash for the audit record. */
export async function freezeDossier(tx: Tx, opening: DossierRequest, evidence: Evidence): Promise<string> {
  const { tenant: clientId, intentId, staffId, object } = opening;
  const intent = await findIntent(tx, { tenant: clientId, id: intentId });
  if (intent === null) throw new Error(`intent ${intentId} is not open`);
  const id = randomUUID();
  const key = { tenant: clientId, id };
  const tenant = env().tenants.find((one) => one.clientId === clientId);
  const about = {
    tenant: clientId,
    tenantName: tenant?.name ?? clientId,
    environment: tenant?.environment ?? "",
    object,
    dossierId: id,
  };
  const createdAt = await storeNow(tx);
  const text = canonicalJson(Snapshot.parse({ ...evidence, about, frozenAt: createdAt.toISOString() }));
  const frozenHash = sha256(text);
  const frozenSealed = seal(text, targetOf("dossier.frozen_sealed", key));
  const row = { ...key, object, intentId, opening: intent.key, staffId, createdAt, frozenHash, frozenSealed };
  await tx.insert(dossier).values(row);
  return frozenHash;
}

const isOpen = ({ tenant, id, key }: Pick<Intent, "tenant" | "id" | "key">) =>
  and(eq(dossier.tenant, tenant), eq(dossier.intentId, id), eq(dossier.opening, key), isNull(dossier.sealedAt));

export async function addRecheck(
  tx: Tx,
  { tenant, intentId }: Pick<DossierRequest, "tenant" | "intentId">,
  recheck: Recheck,
): Promise<void> {
  const intent = await findIntent(tx, { tenant, id: intentId });
  if (intent === null) return;
  const [row] = await tx.select().from(dossier).where(isOpen(intent)).for("update");
  if (row === undefined) return;
  const answer = ProviderAnswer.parse({ ...recheck, use: "before-sending", sha256: sha256(recheck.text) });
  const recheckSealed = seal(canonicalJson(answer), targetOf("dossier.recheck_sealed", row));
  await tx.update(dossier).set({ recheckSealed }).where(isRow(row));
}

/** Never validated: another version's section must not fail the sealing. */
const sectionsOf = (row: DossierRow): Sections => {
  const snapshot = unseal(row.frozenSealed ?? "", targetOf("dossier.frozen_sealed", row));
  return Sections.parse(JSON.parse(snapshot));
};

const recheckOf = (row: DossierRow): unknown[] =>
  row.recheckSealed === null ? [] : [JSON.parse(unseal(row.recheckSealed, targetOf("dossier.recheck_sealed", row)))];

const iso = (at: Date | null) => at?.toISOString() ?? null;

export type Ending = { intent: Intent; by: string };
type SealedDossier = { id: string; sha256: string };
export type SealedEnding = { ending: Ending; dossier: SealedDossier };

async function sealRow(tx: Tx, row: DossierRow, { intent, by }: Ending): Promise<SealedDossier> {
  const { status, code, requestId, attempts, answerHash: answerSha256 } = intent;
  const state: Outcome["state"] = intent.state === "DONE" || intent.state === "REFUSED" ? intent.state : "UNKNOWN";
  const sealedAt = await storeNow(tx);
  const firstSentAt = iso(intent.firstSentAt);
  const finishedAt = iso(intent.finishedAt);
  const times = { firstSentAt, finishedAt, sealedAt: sealedAt.toISOString() };
  const outcome: Outcome = { state, status, code, requestId, answerSha256, attempts, foundBy: by, ...times };
  const contents = Sections.parse({ ...sectionsOf(row), provider: recheckOf(row), outcome });
  const { text, sha256: hash, signedBy } = sealFile(contents, signingKey(env().auditKey));
  const fileSealed = seal(text, targetOf("dossier.file_sealed", row));
  const emptied = { frozenSealed: null, recheckSealed: null };
  const set = { ...emptied, sealedAt, endState: state, fileSealed, sha256: hash, signedBy };
  await tx.update(dossier).set(set).where(isRow(row));
  return { id: row.id, sha256: hash };
}

/** Last in its transaction, like `record`. */
export async function recordSeals(tx: Tx, sealed: readonly SealedEnding[]): Promise<void> {
  await recordAll(
    tx,
    sealed.map(({ ending: { intent, by }, dossier: { id: dossierId, sha256: hash } }) => {
      const { tenant, id: intentId, object, state } = intent;
      const what = { tenant, actor: by, code: "kyc.dossier", outcome: "DONE", object, intentId } as const;
      return { ...what, detail: { dossierId, sha256: hash, state } };
    }),
  );
}

/** In the transaction that records the end; nothing while unknown or sealed. The caller ends with `recordSeals`. */
export async function sealDossier(tx: Tx, ending: Ending): Promise<SealedEnding[]> {
  const { intent } = ending;
  if (intent.state !== "DONE" && intent.state !== "REFUSED") return [];
  const [row] = await tx.select().from(dossier).where(isOpen(intent)).for("update");
  return row === undefined ? [] : [{ ending, dossier: await sealRow(tx, row, ending) }];
}

/** Seals earlier decisions whose outcome can no longer be learnt. The caller ends with `recordSeals`. */
export async function sealOvertaken(tx: Tx, { intent, by }: Ending): Promise<SealedEnding[]> {
  const { tenant, id, object, createdAt } = intent;
  const rows = await tx
    .select({ row: dossier, earlier: providerIntent })
    .from(dossier)
    .innerJoin(providerIntent, ofIntent(dossier))
    .where(
      and(
        eq(dossier.tenant, tenant),
        eq(dossier.object, object),
        isNull(dossier.sealedAt),
        ne(dossier.intentId, id),
        eq(providerIntent.state, "UNKNOWN"),
        eq(providerIntent.key, dossier.opening),
        lt(providerIntent.createdAt, createdAt),
      ),
    )
    .orderBy(asc(dossier.createdAt))
    .for("update", { of: dossier });
  const overtaken: SealedEnding[] = [];
  for (const { row, earlier } of rows) {
    const ending = { intent: earlier, by };
    overtaken.push({ ending, dossier: await sealRow(tx, row, ending) });
  }
  return overtaken;
}

export const fileOf = (row: DossierRow): string | null =>
  row.fileSealed === null ? null : unseal(row.fileSealed, targetOf("dossier.file_sealed", row));

type ListedDossier = Pick<
  DossierRow,
  "id" | "intentId" | "staffId" | "createdAt" | "sealedAt" | "endState" | "sha256" | "signedBy"
>;

const MAX_LISTED = 100;

export async function dossiersOf(store: Db, tenant: string, object: string): Promise<ListedDossier[]> {
  const { id, intentId, staffId, createdAt, sealedAt, endState, sha256: hash, signedBy } = dossier;
  return store
    .select({ id, intentId, staffId, createdAt, sealedAt, endState, sha256: hash, signedBy })
    .from(dossier)
    .where(and(eq(dossier.tenant, tenant), eq(dossier.object, object)))
    .orderBy(desc(createdAt), desc(id))
    .limit(MAX_LISTED);
}

export const DOSSIER_FORMATS = ["pdf", "json"] as const;
type DossierFormat = (typeof DOSSIER_FORMATS)[number];

type DossierFile = {
  object: string;
  sha256: string | null;
  fileName: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
};

async function printed(text: string): Promise<Buffer> {
  const [say, locale] = await Promise.all([getTranslations("dossiers"), getLocale()]);
  return printCase({ text, say, locale, printedAt: new Date(), key: signingKey(env().auditKey) });
}

/** Documents and names in clear. Null for an unsealed one, too. */
export async function readDossierFile({ tenant, id }: DossierKey, format: DossierFormat): Promise<DossierFile | null> {
  const [row] = await (
    await db()
  )
    .select()
    .from(dossier)
    .where(and(eq(dossier.tenant, tenant), eq(dossier.id, id)));
  const text = row === undefined ? null : fileOf(row);
  if (row === undefined || text === null) return null;
  const { object, sha256: hash } = row;
  const file = format === "pdf" ? await printed(text) : Buffer.from(text);
  const mediaType = format === "pdf" ? "application/pdf" : "application/json";
  return { object, sha256: hash, fileName: fileNameOf(object, format), mediaType, bytes: new Uint8Array(file) };
}
