import { Deposit, depositTo } from "@/service/crypto/deposit";
import { control } from "./control";

export const cryptoControls = [control("POST /sandbox/crypto/deposits", Deposit, depositTo)];
