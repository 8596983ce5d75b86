import type { z } from "zod";
import type { CreateCheckoutAddress } from "@/lib/contract/crypto";
import type { Call } from "@/service/context";
import { uuid } from "@/service/random";
import { transaction } from "@/service/store/transaction";
import { openWallet } from "./create-wallet";

/**
 * A forward wallet for one payment (interface: Crypto wallets › POST /v1/crypto/checkout/address). Its reference is the
 * tenant's word, or made up where the tenant has none.
 */
export async function createCheckoutAddress(
  call: Call,
  { network, reference }: z.output<typeof CreateCheckoutAddress>,
): Promise<{ address: string; network: string; reference: string }> {
  const known = reference === undefined || reference === "" ? uuid(call.random) : reference;
  const wanted = { family: network, userId: null, isForwardPayment: 1, reference: known };
  const { address } = await transaction(call.db, (tx) => openWallet(call, tx, wanted));
  return { address, network, reference: known };
}
