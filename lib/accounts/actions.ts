"use server";

import { action, graveAction } from "@/lib/action";
import { carryOutClosure, closeNow, proposeClosure } from "./approvals";
import { CarryingOut, ClosingNow, ClosureForm } from "./close-rules";
import { LookUp, lookUp } from "./look-up";

export const carryOutAccountClosure = graveAction("accounts:close", CarryingOut, carryOutClosure);
export const closeAccountNow = graveAction("accounts:close", ClosingNow, closeNow);
export const lookUpAccount = action("accounts:read", LookUp, lookUp);
export const proposeAccountClosure = action("accounts:close", ClosureForm, proposeClosure);
