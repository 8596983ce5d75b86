"use server";

import { action } from "@/lib/action";
import { Moving, Raising } from "./inputs";
import { moveSuspicion as move } from "./move";
import { raiseSuspicion as raise } from "./raise";

export const raiseSuspicion = action("suspicions:handle", Raising, raise);
export const moveSuspicion = action("suspicions:handle", Moving, move);
