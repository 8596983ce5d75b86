"use server";

import { action } from "@/lib/action";
import { planMovementFile, startMovementFile, stopMovementFile } from "./order";
import { findCounterpartKey } from "./counterpart";
import { findMovementSource } from "./find-source";
import { CounterpartQuery, MovementOrder, MovementStart, MovementStop, SourceQuery } from "./inputs";

export const planMovements = action("statement:export", MovementOrder, planMovementFile);
export const startMovements = action("statement:export", MovementStart, startMovementFile);
export const stopMovements = action("statement:export", MovementStop, stopMovementFile);
export const findSource = action("accounts:read", SourceQuery, findMovementSource);
export const findCounterpart = action("accounts:read", CounterpartQuery, findCounterpartKey);
