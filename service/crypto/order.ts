import type { CryptoTransfer, Network } from "@/lib/contract/crypto";
import { invalid } from "@/service/error";
import { canonicalAddress, familyOf } from "./addresses/family";
import { canonicalToken } from "./token";

/** A transfer as its request alone tells it: addresses and token (null is the native coin) in their canonical forms. */
export type TransferOrder = Pick<CryptoTransfer, "network" | "fromAddress" | "amount" | "decimals"> & {
  to: string;
  token: string | null;
};

/** EIP-155 numbers, by which `networkId` may name a network too. */
const CHAIN_IDS: Readonly<Partial<Record<Network, string>>> = { ETHEREUM: "1", POLYGON: "137", BSC: "56" };

/** An optional field that was left empty was not given. */
function given(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

function destinationOf({ network, fromAddress, to }: CryptoTransfer): string {
  const family = familyOf(network);
  const destination = canonicalAddress(family, to);
  if (destination === null) throw invalid("to", `is no address on ${network}`);
  if (destination === canonicalAddress(family, fromAddress)) throw invalid("to", "is the sending address itself");
  return destination;
}

function expectSameNetwork({ network, networkId }: CryptoTransfer): void {
  const named = given(networkId);
  if (named !== null && named.toUpperCase() !== network && named !== CHAIN_IDS[network])
    throw invalid("networkId", `names another network than ${network}`);
}

/** What `currency` and `issuer` name together, or null when neither is given. */
function issuedToken({ network, currency, issuer }: CryptoTransfer): string | null {
  const [code, account] = [given(currency), given(issuer)];
  if (code === null && account === null) return null;
  if (network !== "XRPL") throw invalid(code === null ? "issuer" : "currency", "belongs to XRPL alone");
  if (code === null) throw invalid("currency", "is required with an issuer");
  if (account === null) throw invalid("issuer", "is required with a currency");
  if (canonicalAddress("XRPL", account) === null) throw invalid("issuer", "is no address on XRPL");
  const token = canonicalToken(network, `${code}.${account}`);
  if (token === null) throw invalid("currency", "is no currency code of XRPL");
  return token;
}

function tokenOf(input: CryptoTransfer): string | null {
  const issued = issuedToken(input);
  const contract = given(input.tokenAddress);
  if (contract === null) return issued;
  const token = canonicalToken(input.network, contract);
  if (token === null) throw invalid("tokenAddress", `can be no token of ${input.network}`);
  if (issued !== null && issued !== token)
    throw invalid("tokenAddress", "names another token than currency and issuer");
  return token;
}

/** Reads what a transfer asks for. 400 naming the field when the request contradicts itself or its network. */
export function readOrder(input: CryptoTransfer): TransferOrder {
  const { network, fromAddress, amount, decimals } = input;
  expectSameNetwork(input);
  const order = { network, fromAddress, to: destinationOf(input), amount, token: tokenOf(input) };
  return decimals === undefined ? order : { ...order, decimals };
}
