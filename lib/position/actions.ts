"use server";

import { action, stepUpAction } from "@/lib/action";
import { importRates as importFile, setRate as save } from "./rates";
import { RateFile, RateOrder, ReadAgain } from "./inputs";
import { readAgain as read } from "./read-again";

export const importRates = stepUpAction("position:rate", RateFile, importFile);
export const readAgain = action("position:rate", ReadAgain, read);
export const setRate = stepUpAction("position:rate", RateOrder, save);
