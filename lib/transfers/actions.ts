"use server";

import { action, stepUpAction } from "@/lib/action";
import { findTransferPayee as findPayee } from "./find-payee";
import { checkHold as check } from "./held";
import { saveTransferDraft as saveDraft } from "./drafts";
import { orderTransfer as order } from "./order-transfer";
import { reviewTransfer as review } from "./review-transfer";
import { removePayee as remove, savePayee as save } from "./payees";
import {
  HoldCheck,
  PayeeQuery,
  PayeeRemoval,
  PayeeSaving,
  TransferDrafting,
  TransferForm,
  TransferOrder,
} from "./inputs";

export const saveTransferDraft = action("transfers:create", TransferDrafting, saveDraft);
export const orderTransfer = stepUpAction("transfers:create", TransferOrder, order);
export const checkTransfer = action("transfers:create", TransferForm, async () => null);
export const reviewTransfer = action("transfers:create", TransferForm, review);
export const checkHold = action("transfers:read", HoldCheck, check);
export const findTransferPayee = action("transfers:read", PayeeQuery, findPayee);
export const savePayee = action("transfers:create", PayeeSaving, save);
export const removePayee = action("transfers:create", PayeeRemoval, remove);
