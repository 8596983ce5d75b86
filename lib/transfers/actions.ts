"use server";

import { action, graveAction } from "@/lib/action";
import { keepTransferDraft as keepDraft, orderTransfer as order, reviewTransfer as review } from "./ordering";
import { TransferDrafting, TransferForm, TransferOrder } from "./rules";

export const keepTransferDraft = action("transfers:create", TransferDrafting, keepDraft);
export const orderTransfer = graveAction("transfers:create", TransferOrder, order);
export const reviewTransfer = action("transfers:create", TransferForm, review);
