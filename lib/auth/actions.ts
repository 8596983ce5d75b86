"use server";

import { z } from "zod";
import { ownAction } from "@/lib/action";
import { endOthers, endOwn } from "./own-sessions";
import { stepUp } from "./step-up";

export const proveSelf = ownAction("session:step-up", z.string().min(1).max(1_000), stepUp);

export const endOwnSession = ownAction("session:end", z.uuid(), endOwn);

export const endOtherSessions = ownAction("session:end", z.null(), endOthers);
