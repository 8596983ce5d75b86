"use server";

import { stepUpAction } from "@/lib/action";
import { DossierWish } from "./rules";
import { takeDossier } from "./records";

export const exportDossier = stepUpAction("dossiers:export", DossierWish, takeDossier);
