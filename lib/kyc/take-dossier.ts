import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { DOSSIER_FORMATS, readDossierFile } from "@/lib/dossiers/records";
import { admitReveal } from "@/lib/privacy/reveal";
import { RevealReasoned } from "@/lib/privacy/inputs";
import { isCustomerObject } from "@/lib/db/enums/privacy";

export const DossierWish = z.strictObject({
  ...RevealReasoned.shape,
  dossierId: z.uuid(),
  format: z.enum(DOSSIER_FORMATS),
});
type DossierWish = z.output<typeof DossierWish>;

type TakenDossier = { fileName: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> };

/** Throws not-found, for an unsealed one too, and as `admitReveal`. */
export async function takeDossier(
  actor: Actor<"dossiers:export">,
  { dossierId, format, reason, note }: DossierWish,
): Promise<TakenDossier> {
  const file = await readDossierFile({ tenant: actor.tenant, id: dossierId }, format);
  if (file === null || !isCustomerObject(file.object)) throw new AppError("not-found", { code: "dossier" });
  const { object, sha256, ...taken } = file;
  const detail = { file: "dossier", format, dossierId, sha256 };
  await admitReveal(actor, { code: "personal-data.file", object, reason, note, detail });
  return taken;
}
