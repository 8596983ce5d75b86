"use server";

import { action, graveAction } from "@/lib/action";
import { excludeCandidate as exclude, orderOutcome } from "./approvals";
import { Excluding, OutcomeOrder } from "./rules";

export const endOutcome = graveAction("outcomes:end", OutcomeOrder, orderOutcome);
export const excludeCandidate = action("outcomes:end", Excluding, exclude);
