"use server";

import { action } from "@/lib/action";
import { Noting, Retracting } from "@/lib/casework/rules";
import { orderDecision } from "./approvals";
import { assign, Assigning, claim, Claiming, release, Releasing } from "./assign";
import { noteOnCase, retractOnCase } from "./notes";
import { CaseDecision } from "./rules";

export const decideCase = action("kyc:decide", CaseDecision, orderDecision);
export const claimCase = action("kyc:assign", Claiming, claim);
export const releaseCase = action("kyc:assign", Releasing, release);
export const assignCase = action("kyc:assign", Assigning, assign);
export const addCaseNote = action("kyc:note", Noting, noteOnCase);
export const retractCaseNote = action("kyc:note", Retracting, retractOnCase);
