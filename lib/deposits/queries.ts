import { query } from "@/lib/query";
import { exportDepositList } from "./export-list";
import { readDeposits } from "./list";
import { readDeposit } from "./record";

export type { DepositFileColumn } from "./export-list";

/** Arrivals and what is expected, as they are kept: the provider is asked nothing. */
export const listDeposits = query("wallets:read", readDeposits);

export const exportDeposits = query("wallets:read", exportDepositList);

export const getDeposit = query("wallets:read", readDeposit);
