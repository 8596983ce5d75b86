"use server";

import { action } from "@/lib/action";
import { orderDecision } from "./approvals";
import { CaseDecision } from "./rules";

export const decideCase = action("kyc:decide", CaseDecision, orderDecision);
