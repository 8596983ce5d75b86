"use server";

import { action } from "@/lib/action";
import { Noting, Removing, Retracting } from "@/lib/casework/rules";
import { orderDecision } from "./approvals";
import { assign, Assigning, claim, Claiming, release, Releasing } from "./assign";
import { Leaving, setAway as keepAway } from "./away";
import { AskingNext, claimNext } from "./next-case";
import { removeFromCase } from "./files";
import { noteOnCase, retractOnCase } from "./notes";
import { CaseDecisionForm } from "./rules";

export const decideCase = action("kyc:decide", CaseDecisionForm, orderDecision);
export const claimCase = action("kyc:assign", Claiming, claim);
export const releaseCase = action("kyc:assign", Releasing, release);
export const assignCase = action("kyc:assign", Assigning, assign);
export const takeNextCase = action("kyc:assign", AskingNext, claimNext);
export const setAway = action("kyc:assign", Leaving, keepAway);
export const addCaseNote = action("kyc:note", Noting, noteOnCase);
export const retractCaseNote = action("kyc:note", Retracting, retractOnCase);
export const removeCaseFile = action("kyc:note", Removing, removeFromCase);
