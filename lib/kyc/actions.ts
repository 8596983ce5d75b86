"use server";

import { action } from "@/lib/action";
import { decide } from "./decide";
import { CaseDecision } from "./rules";

export const decideCase = action("kyc:decide", CaseDecision, decide);
