"use server";

import { graveAction } from "@/lib/action";
import { DossierWish } from "./rules";
import { takeDossier } from "./records";

export const exportDossier = graveAction("dossiers:export", DossierWish, takeDossier);
