"use server";

import { action } from "@/lib/action";
import { explore } from "./explore";
import { ExplorerRequest } from "./inputs";

export const exploreProvider = action("explorer:use", ExplorerRequest, explore);
