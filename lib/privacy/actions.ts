"use server";

import { action } from "@/lib/action";
import { revealOne } from "./reveal";
import { Revealing } from "./inputs";

export const revealDocument = action("pii:reveal", Revealing, revealOne);
