import { recordTrade, Trade } from "@/service/otc/record-trade";
import { control } from "./control";

export const otcControls = [control("POST /sandbox/otc/trades", Trade, recordTrade)];
