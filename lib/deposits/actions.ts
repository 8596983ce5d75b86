"use server";

import { action } from "@/lib/action";
import { expectOne, importExpected } from "./expect";
import { handleOne, importHandling } from "./handle";
import { DepositFile, ExpectOrder, Handling, Withdrawal } from "./inputs";
import { withdrawOne } from "./withdraw";
import { askPaid, PaidQuestion } from "./read-paid";

export const askWhetherPaid = action("deposits:ask", PaidQuestion, askPaid);
export const expectDeposit = action("wallets:label", ExpectOrder, expectOne);
export const importExpectedDeposits = action("wallets:label", DepositFile, importExpected);
export const withdrawExpectedDeposit = action("wallets:label", Withdrawal, withdrawOne);
export const handleDeposit = action("wallets:label", Handling, handleOne);
export const importDepositReasons = action("wallets:label", DepositFile, importHandling);
