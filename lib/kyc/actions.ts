"use server";

import { action, stepUpAction } from "@/lib/action";
import { Noting, Removing, Retracting } from "@/lib/notes/inputs";
import { orderDecision } from "./decide";
import { assign, Assigning, claim, Claiming, release, Releasing } from "./assign";
import { Leaving, setAway as saveAway } from "./away";
import { bringBack, BringingBack, putOff, PuttingOff } from "./put-off";
import {
  AnsweringEscalation,
  answerEscalation as answer,
  escalate,
  Escalating,
  takeEscalation as take,
  TakingEscalation,
  withdrawEscalation as withdraw,
  WithdrawingEscalation,
} from "./escalate";
import { handOverLink, HandingOver } from "./hand-link";
import { seekCase } from "./seek";
import { AskingNext, claimNext } from "./claim-next";
import { removeFromCase } from "./files";
import { noteOnCase, retractOnCase } from "./notes";
import { assignMany, tagMany } from "./queue-bulk";
import {
  AssigningMany,
  CaseDecision,
  SameDocumentQuery,
  StartDrafting,
  StartForm,
  StartOrder,
  StartChecking,
  StartReconciliation,
  TaggingMany,
} from "./inputs";
import { checkStartForm } from "./check-start";
import { startCase as start } from "./start";
import { saveStartDraft as saveDraft } from "./start-form";
import { reconcileStart as reconcile } from "./start-reconcile";
import { reviewStart as review } from "./review-start";
import { CaseRulesOrder } from "./case-rules";
import { CalendarForm } from "@/lib/calendar/inputs";
import { changeCaseCalendar } from "./change-calendar";
import { orderRulesChange } from "./change-rules";
import { DossierWish, takeDossier } from "./take-dossier";

export const decideCase = action("kyc:decide", CaseDecision, orderDecision);
export const claimCase = action("kyc:assign", Claiming, claim);
export const releaseCase = action("kyc:assign", Releasing, release);
export const assignCase = action("kyc:assign", Assigning, assign);
export const takeNextCase = action("kyc:assign", AskingNext, claimNext);
export const findCaseOfSameDocument = action("kyc:read", SameDocumentQuery, seekCase);
export const setAway = action("kyc:assign", Leaving, saveAway);
export const putOffCase = action("kyc:assign", PuttingOff, putOff);
export const bringBackCase = action("kyc:assign", BringingBack, bringBack);
export const escalateCase = action("kyc:assign", Escalating, escalate);
export const withdrawEscalation = action("kyc:assign", WithdrawingEscalation, withdraw);
export const takeEscalation = action("approvals:authorize", TakingEscalation, take);
export const answerEscalation = action("approvals:authorize", AnsweringEscalation, answer);
export const handOverWebview = action("onboarding:follow", HandingOver, handOverLink);
export const addCaseNote = action("kyc:note", Noting, noteOnCase);
export const retractCaseNote = action("kyc:note", Retracting, retractOnCase);
export const removeCaseFile = action("kyc:note", Removing, removeFromCase);
export const assignCases = action("kyc:assign", AssigningMany, assignMany);
export const tagCases = action("kyc:assign", TaggingMany, tagMany);
export const checkStart = action("kyc:start", StartChecking, checkStartForm);
export const reviewStart = action("kyc:start", StartForm, review);
export const startCase = action("kyc:start", StartOrder, start);
export const reconcileStart = action("kyc:start", StartReconciliation, reconcile);
export const saveStartDraft = action("kyc:start", StartDrafting, saveDraft);
export const changeRules = stepUpAction("settings:manage", CaseRulesOrder, orderRulesChange);
export const changeCalendar = stepUpAction("settings:manage", CalendarForm, changeCaseCalendar);
export const exportDossier = stepUpAction("dossiers:export", DossierWish, takeDossier);
