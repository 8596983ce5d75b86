"use server";

import { action, stepUpAction } from "@/lib/action";
import { Noting, Removing, Retracting } from "@/lib/notes/inputs";
import { carryOutClosure, closeNow, proposeClosure } from "./close";
import { noteOnAccount, removeFromAccount, retractOnAccount } from "./notes";
import { nameFile, NamingFile } from "./name-file";
import { CarryingOut, ClosingNow, ClosureForm } from "./inputs";
import { Revealing } from "@/lib/privacy/inputs";
import { revealOne } from "@/lib/privacy/reveal";
import { clearRecordField } from "./records";
import { LookUp, lookUp, lookUpPixKey as lookUpKey, PixKeyLookUp } from "./look-up";

export const addAccountNote = action("accounts:note", Noting, noteOnAccount);
export const carryOutAccountClosure = stepUpAction("accounts:close", CarryingOut, carryOutClosure);
export const closeAccountNow = stepUpAction("accounts:close", ClosingNow, closeNow);
export const lookUpAccount = action("accounts:read", LookUp, lookUp);
export const lookUpPixKey = action("transfers:create", PixKeyLookUp, lookUpKey);
export const nameAccountFile = action("statement:export", NamingFile, nameFile);
export const proposeAccountClosure = action("accounts:close", ClosureForm, proposeClosure);
export const removeAccountFile = action("accounts:note", Removing, removeFromAccount);
export const retractAccountNote = action("accounts:note", Retracting, retractOnAccount);
export const revealDocument = action("pii:reveal", Revealing, (actor, asked) =>
  revealOne(actor, asked, clearRecordField),
);
