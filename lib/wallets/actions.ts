"use server";

import { orderCoins as send } from "./send-coins";
import { reviewSend as review } from "./review-send";
import { action, stepUpAction } from "@/lib/action";
import { importAddressFile } from "./address-file";
import { importLabelFile, labelOne } from "./labels";
import { lookUpTrade, OtcLookUp } from "./otc-trade";
import { makeWallet, orderDepositAddress } from "./create";
import { reconcileWalletRequest } from "./create-reconcile";
import { AddressOrder, LabelOrder, SendForm, SendOrder, WalletFile, WalletOrder, WalletReconciliation } from "./inputs";

export const importWalletLabels = action("wallets:label", WalletFile, importLabelFile);
export const labelWallet = action("wallets:label", LabelOrder, labelOne);
export const lookUpOtcTrade = action("wallets:read", OtcLookUp, lookUpTrade);
export const createWallet = action("wallets:create", WalletOrder, makeWallet);
export const importDepositAddresses = action("wallets:create", WalletFile, importAddressFile);
export const createDepositAddress = action("wallets:create", AddressOrder, orderDepositAddress);
export const reconcileWallet = action("wallets:create", WalletReconciliation, reconcileWalletRequest);
export const reviewSend = action("crypto-transfers:create", SendForm, review);
export const sendCoins = stepUpAction("crypto-transfers:create", SendOrder, send);
