"use server";

import { action } from "@/lib/action";
import { AskingMore } from "./inputs";
import { askForMore } from "./more";

export const askToRevealMore = action("pii:reveal", AskingMore, askForMore);
