"use server";

import { action, stepUpAction } from "@/lib/action";
import { excludeCandidate as exclude, orderOutcome, Excluding, OutcomeOrder } from "./end-outcome";

export const endOutcome = stepUpAction("outcomes:end", OutcomeOrder, orderOutcome);
export const excludeCandidate = action("outcomes:end", Excluding, exclude);
