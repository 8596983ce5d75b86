"use server";

import { action, stepUpAction } from "@/lib/action";
import { changeAlarmBounds as changeBounds } from "./alarm-bounds";
import { AlarmBoundsForm, AlarmEnding, AlarmTaking, AskingMore } from "./inputs";
import { askForMore } from "./more";
import { endAlarm as end, takeAlarm as take } from "./reveal-alarms";

export const askToRevealMore = action("pii:reveal", AskingMore, askForMore);

export const takeAlarm = action("staff:manage", AlarmTaking, take);
export const endAlarm = action("staff:manage", AlarmEnding, end);
export const changeAlarmBounds = stepUpAction("settings:manage", AlarmBoundsForm, changeBounds);
