"use server";

import { stepUpAction } from "@/lib/action";
import { DossierWish, takeDossier } from "./records";

export const exportDossier = stepUpAction("dossiers:export", DossierWish, takeDossier);
