"use server";

import { action } from "@/lib/action";
import { expectOne, importExpected } from "./expect";
import { handleOne, importHandling } from "./handle";
import { DepositFile, ExpectOrder, Handling } from "./inputs";

export const expectDeposit = action("wallets:label", ExpectOrder, expectOne);
export const importExpectedDeposits = action("wallets:label", DepositFile, importExpected);
export const handleDeposit = action("wallets:label", Handling, handleOne);
export const importDepositReasons = action("wallets:label", DepositFile, importHandling);
