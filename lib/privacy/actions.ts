"use server";

import { action } from "@/lib/action";
import { revealOne } from "./reveal";
import { Revealing } from "./rules";

export const revealDocument = action("pii:reveal", Revealing, revealOne);
