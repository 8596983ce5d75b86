import { z } from "zod";

export const DOSSIER_FORMATS = ["pdf", "json"] as const;

export const DossierWish = z.strictObject({ dossierId: z.uuid(), format: z.enum(DOSSIER_FORMATS) });
export type DossierWish = z.output<typeof DossierWish>;
