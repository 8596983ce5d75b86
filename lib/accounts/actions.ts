"use server";

import { action, stepUpAction } from "@/lib/action";
import { carryOutClosure, closeNow, proposeClosure } from "./approvals";
import { CarryingOut, ClosingNow, ClosureForm } from "./rules";
import { LookUp, lookUp, lookUpPixKey as lookUpKey, PixKeyLookUp } from "./look-up";

export const carryOutAccountClosure = stepUpAction("accounts:close", CarryingOut, carryOutClosure);
export const closeAccountNow = stepUpAction("accounts:close", ClosingNow, closeNow);
export const lookUpAccount = action("accounts:read", LookUp, lookUp);
export const lookUpPixKey = action("transfers:create", PixKeyLookUp, lookUpKey);
export const proposeAccountClosure = action("accounts:close", ClosureForm, proposeClosure);
