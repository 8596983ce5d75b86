import { and, eq } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { signingKey } from "@/lib/audit/head";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/answer";
import { env } from "@/lib/settings/env";
import { fileNameOf, printDossier } from "./pdf";
import { fileOf } from "./records";
import type { DossierWish } from "./rules";
import { dossier } from "./schema";
import { db } from "@/lib/store/store";

export type TakenDossier = { fileName: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> };

async function printed(text: string): Promise<Buffer> {
  const [say, locale] = await Promise.all([getTranslations("dossiers"), getLocale()]);
  return printDossier({ text, say, locale, printedAt: new Date(), key: signingKey(env().auditKey) });
}

/** Shows documents and names in clear, so it is recorded first. Throws not-found, of an unsealed one too. */
export async function takeDossier(
  actor: Actor<"dossiers:export">,
  { dossierId, format }: DossierWish,
): Promise<TakenDossier> {
  const { tenant, id } = actor;
  const store = await db();
  const isIt = and(eq(dossier.tenant, tenant), eq(dossier.id, dossierId));
  const [row] = await store.select().from(dossier).where(isIt);
  const text = row === undefined ? null : fileOf(row);
  if (row === undefined || text === null) throw new BankError("not-found", { code: "dossier" });
  const file = format === "pdf" ? await printed(text) : Buffer.from(text);
  const { object, sha256 } = row;
  const detail = { what: "dossier", format, dossierId, sha256 };
  await record(store, { tenant, actor: id, code: "personal-data.export", outcome: "DONE", object, detail });
  const mediaType = format === "pdf" ? "application/pdf" : "application/json";
  return { fileName: fileNameOf(object, format), mediaType, bytes: new Uint8Array(file) };
}
