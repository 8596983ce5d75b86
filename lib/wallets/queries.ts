import { isStorable } from "@/lib/contract/shared";
import { query } from "@/lib/query";
import { db } from "@/lib/db/connection";
import { exportHistoryOf, readWalletHistory } from "./history-list";
import { readOpenSends } from "./open-sends";
import { openWalletRequests } from "./create-reconcile";
import { readProposedCoins, readSentCoins } from "./sent-coins";
import { exportReceiptOf } from "./send-receipt";
import { readSend } from "./send-record";
import { exportSendList } from "./sends-file";
import { readSends } from "./sends-list";
import type { OpenSend, SentCoins } from "./view";
import { readWallets, readWalletsOf } from "./list";
import { exportWalletList } from "./list-file";
import { readWallet } from "./read-wallet";
import { readDepositAddresses } from "./deposit-addresses";

export type { DepositAddresses } from "./deposit-addresses";
export type { AssetBalance, WalletRow } from "./holdings";
export type { ListedWallet, WalletList } from "./list";
export type { SendFileColumn } from "./sends-file";
export { readSendSums, sendBatches, sendersOf, sendIds, sendsOf } from "./sends-list";
export type { WalletNetworkView, WalletView } from "./read-wallet";

/** Stored chain history, read again when opened. */
export const getHistory = query("wallets:read", readWalletHistory);

export const exportHistory = query("wallets:read", exportHistoryOf);

export const listOpenSends = query("wallets:read", async (reader, walletId: string): Promise<OpenSend[]> =>
  isStorable(walletId) ? readOpenSends(await db(), reader, walletId) : [],
);

export const listSentCoins = query("wallets:read", async (reader, walletId: string): Promise<SentCoins[]> =>
  isStorable(walletId) ? readSentCoins(await db(), reader, walletId) : [],
);

export const getProposedCoins = query("wallets:read", readProposedCoins);

/** Sent, but neither answered nor found: a person links the resulting wallet. */
export const listUnconfirmedWallets = query("wallets:read", async ({ tenant }) =>
  openWalletRequests(await db(), tenant),
);

/** Newest first, with balances as the watch last read them. */
export const listWallets = query("wallets:read", readWallets);

export const exportWallets = query("wallets:read", exportWalletList);

/** A user's newest wallets, without their balances. */
export const listWalletsOf = query("wallets:read", readWalletsOf);

export const getWallet = query("wallets:read", readWallet);

export const listDepositAddresses = query("wallets:read", readDepositAddresses);

/** All sends of coins from all wallets, whatever became of them. */
export const listSends = query("wallets:read", readSends);

export const exportSends = query("wallets:read", exportSendList);

export const getSend = query("wallets:read", readSend);

export const exportSendReceipt = query("wallets:read", exportReceiptOf);
