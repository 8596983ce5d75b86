"use server";

import { action } from "@/lib/action";
import { ScenarioRequest } from "./inputs";
import { play } from "./play";

export const playScenario = action("settings:manage", ScenarioRequest, play);
