import { createCheckoutAddress } from "@/service/crypto/create-checkout-address";
import { createWallet } from "@/service/crypto/create-wallet";
import { getWalletBalance } from "@/service/crypto/get-wallet-balance";
import { getWalletHistory } from "@/service/crypto/get-wallet-history";
import { listWallets } from "@/service/crypto/list-wallets";
import { transferCrypto } from "@/service/crypto/transfer";
import { FAMILY_COINS } from "@/service/crypto/wallet";
import { operations } from "@/service/gateway/operations";
import { messageAnswer } from "./answer";
import { route } from "./route";
import { screenedAnswer } from "./screened";

export const cryptoRoutes = [
  route(operations.createWallet, async (call, input) => {
    const { id: walletId, address, family: network, isForwardPayment } = await createWallet(call, input);
    const made = { walletId, address, network, coin: FAMILY_COINS[network], isForwardPayment };
    return messageAnswer("Wallet created", made);
  }),
  route(operations.createCheckoutAddress, async (call, input) =>
    messageAnswer("Checkout address created", await createCheckoutAddress(call, input)),
  ),
  route(operations.listWallets, async (call, input) => messageAnswer("Wallets", await listWallets(call, input))),
  route(operations.getWalletBalance, async (call, input, { params: { address = "" } }) =>
    messageAnswer("Wallet balance", await getWalletBalance(call, { ...input, address })),
  ),
  route(operations.getWalletHistory, async (call, input, { params: { address = "" } }) =>
    messageAnswer("Wallet history", await getWalletHistory(call, { ...input, address })),
  ),
  route(operations.transferCrypto, async (call, input) =>
    screenedAnswer(await transferCrypto(call, input), (sent) => messageAnswer("Transfer sent", sent)),
  ),
];
