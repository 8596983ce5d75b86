"use server";

import { action, stepUpAction } from "@/lib/action";
import { saveTransferDraft as saveDraft, orderTransfer as order, reviewTransfer as review } from "./ordering";
import { removePayee as remove, savePayee as save } from "./payees";
import { PayeeRemoval, PayeeSaving, TransferDrafting, TransferForm, TransferOrder } from "./rules";

export const saveTransferDraft = action("transfers:create", TransferDrafting, saveDraft);
export const orderTransfer = stepUpAction("transfers:create", TransferOrder, order);
export const reviewTransfer = action("transfers:create", TransferForm, review);
export const savePayee = action("transfers:create", PayeeSaving, save);
export const removePayee = action("transfers:create", PayeeRemoval, remove);
