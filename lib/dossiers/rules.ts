import { z } from "zod";

export const DOSSIER_FORMATS = ["pdf", "json"] as const;

/** Which dossier somebody takes out, and as what. */
export const DossierWish = z.strictObject({ dossierId: z.uuid(), format: z.enum(DOSSIER_FORMATS) });
export type DossierWish = z.output<typeof DossierWish>;
