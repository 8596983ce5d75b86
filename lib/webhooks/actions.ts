"use server";

import { action } from "@/lib/action";
import { ReplayStart, ReplayStop } from "./inputs";
import { startReplay, stopReplay } from "./replay";

export const startDeliveryReplay = action("webhooks:replay", ReplayStart, startReplay);
export const stopDeliveryReplay = action("webhooks:replay", ReplayStop, stopReplay);
