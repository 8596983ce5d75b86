"use server";

import { action } from "@/lib/action";
import { lookUpTrade, OtcLookUp } from "./otc-trade";

export const lookUpOtcTrade = action("wallets:read", OtcLookUp, lookUpTrade);
