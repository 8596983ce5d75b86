"use server";

import { stepUpAction } from "@/lib/action";
import { importRates as importFile, setRate as save } from "./rates";
import { RateFile, RateOrder } from "./inputs";

export const importRates = stepUpAction("position:rate", RateFile, importFile);
export const setRate = stepUpAction("position:rate", RateOrder, save);
