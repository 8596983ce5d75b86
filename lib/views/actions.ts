"use server";

import { action } from "@/lib/action";
import { changeOne, keepOne, removeOne } from "./keep";
import { ChangingView, KeepingView, RemovingView } from "./rules";

// Whoever works at a tenant may read each of the lists, and keeps filters for nobody but themselves.
export const keepView = action("kyc:read", KeepingView, keepOne);
export const changeView = action("kyc:read", ChangingView, changeOne);
export const removeView = action("kyc:read", RemovingView, removeOne);
