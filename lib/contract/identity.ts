import { hex } from "@scure/base";
import { addressBytes, xrplAccount } from "./address-bytes";
import {
  canonicalAddress,
  encodeBase58Check,
  familyOf,
  isChainAddress,
  TRON_MAIN_NETWORK,
  XRPL_ACCOUNT_ID,
} from "./addresses";
import { COINS, isCoin } from "./coins";
import { type ChainFamily, type Network, NETWORKS } from "./crypto";
import { pasted } from "./fold";
import { plainDecimal } from "./shared";

// Whether two values are equal, however a provider spells them.

export const idKey = (text: string): string => pasted(text);

/** `1.50`, `01.5` and `15e-1` are one amount; other text is returned as it is. */
export function amountKey(text: string): string {
  const decimal = plainDecimal(text);
  if (decimal === null) return idKey(text);
  const [whole = "0", fraction = ""] = decimal.split(".");
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === "0") end -= 1;
  const value = end === 0 ? whole : `${whole}.${fraction.slice(0, end)}`;
  return value === "-0" ? "0" : value;
}

const HEX_ACCOUNT = /^(?:0x)?([\da-f]{40})$/i;
const TRON_IN_HEX = /^(?:0x|41|0x41)[\da-f]{40}$/i;
const IN_BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,64}$/;

function tronSpelling(text: string): string {
  const bytes = TRON_IN_HEX.test(text) ? addressBytes("TRON", text) : null;
  if (bytes === null) return text;
  return encodeBase58Check(Uint8Array.from([TRON_MAIN_NETWORK, ...hex.decode(bytes)]), "bitcoin");
}

function xrplSpelling(text: string): string {
  const account = text.startsWith("X") ? xrplAccount(text) : null;
  return account === null ? text : encodeBase58Check(Uint8Array.from([XRPL_ACCOUNT_ID, ...account]), "xrpl");
}

function evmSpelling(text: string): string {
  const account = HEX_ACCOUNT.exec(text)?.[1]?.toLowerCase();
  return account === undefined ? text : (canonicalAddress("EVM", `0x${account}`) ?? text);
}

const SPELLINGS: Readonly<Record<ChainFamily, (text: string) => string>> = {
  EVM: evmSpelling,
  BTC: (text) => (/^bc1/i.test(text) ? text.toLowerCase() : text),
  TRON: tronSpelling,
  SOLANA: (text) => text,
  XRPL: xrplSpelling,
};

/** The family's canonical spelling, in any case; an invalid address is returned as it is. */
export const addressSpelling = (family: ChainFamily, text: string): string => SPELLINGS[family](idKey(text));

export function addressSpellings(family: ChainFamily, text: string): string[] {
  const key = addressKey(family, text).toLowerCase();
  const bytes = family === "TRON" ? addressBytes("TRON", text) : null;
  const inHex = bytes === null ? [] : [`41${bytes}`, `0x41${bytes}`, `0x${bytes}`];
  return family === "EVM" ? [key, key.replace(/^0x/, "")] : [key, ...inHex];
}

/** A cheap key for comparison: usual spellings need no hash. */
export function addressKey(family: ChainFamily, text: string): string {
  const bare = idKey(text);
  if (family === "EVM") return bare.toLowerCase().replace(/^(?=[\da-f]{40}$)/, "0x");
  const spelt = SPELLINGS[family](bare);
  return IN_BASE58.test(spelt) ? spelt : spelt.toLowerCase();
}

export function transactionKey(network: Network, hash: string): string {
  const bare = idKey(hash);
  return network === "SOLANA" ? bare : bare.toLowerCase().replace(/^0x/, "");
}

const CODE_IN_HEX = /^[\da-f]{40}$/i;

function issuedKey(text: string): string | null {
  const parts = text.split(/[.:+/_-]/).filter((part) => part !== "");
  const issuer = parts.find((part) => isChainAddress("XRPL", part));
  const [code, ...more] = parts.filter((part) => part !== issuer);
  if (issuer === undefined || code === undefined || more.length > 0) return null;
  return `${CODE_IN_HEX.test(code) ? code.toUpperCase() : code}.${issuer}`;
}

export function tokenKey(network: Network, token: string | null | undefined): string {
  const bare = idKey(token ?? "");
  if (bare === "") return "";
  return (network === "XRPL" ? issuedKey(bare) : null) ?? addressKey(familyOf(network), bare);
}

type Asset = { asset: string; tokenAddress?: string | null | undefined };

/** A token is its contract, whatever its name; without one an asset is its name. `network`: unknown ones match none. */
export function assetKey(network: string, { asset, tokenAddress }: Asset): string {
  const known = NETWORKS.find((one) => one === network);
  if (known === undefined) return JSON.stringify([network, asset, tokenAddress ?? ""]);
  const token = tokenKey(known, tokenAddress);
  if (token !== "") return JSON.stringify([network, token]);
  return JSON.stringify([network, "", isCoin(known, { asset }) ? COINS[known] : idKey(asset).toLowerCase()]);
}
