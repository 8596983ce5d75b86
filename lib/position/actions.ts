"use server";

import { stepUpAction } from "@/lib/action";
import { importRates as importFile, setRate as save } from "./rates";
import { RateFile, RateOrder } from "./inputs";

export const importRates = stepUpAction("settings:manage", RateFile, importFile);
export const setRate = stepUpAction("settings:manage", RateOrder, save);
