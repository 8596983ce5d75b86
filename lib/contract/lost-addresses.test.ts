import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58, bech32, bech32m, hex } from "@scure/base";
import { describe, expect, it } from "vitest";
import { canonicalAddress, checksummed, encodeBase58Check } from "./addresses";
import { CHAIN_FAMILIES, type ChainFamily } from "./crypto";
import { type Loss, lossAt } from "./lost-addresses";

const COUNT = 120;

const hash = (text: string) => Uint8Array.from(createHash("sha256").update(text).digest());
const hash160 = (bytes: Uint8Array) => ripemd160(Uint8Array.from(createHash("sha256").update(bytes).digest()));
const filled = (size: number, byte: number) => new Uint8Array(size).fill(byte);
const ofNumber = (size: number, value: number) => {
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(size - 4, value);
  return bytes;
};
const repeating = (size: number, text: string) => hex.decode(text.repeat(size).slice(0, size * 2));

const evm = (account: Uint8Array) => checksummed(hex.encode(account));
const tron = (account: Uint8Array) => encodeBase58Check(Uint8Array.from([0x41, ...account]), "bitcoin");
const xrpl = (account: Uint8Array) => encodeBase58Check(Uint8Array.from([0, ...account]), "xrpl");
const p2pkh = (key: Uint8Array) => encodeBase58Check(Uint8Array.from([0, ...key]), "bitcoin");
const p2sh = (script: Uint8Array) => encodeBase58Check(Uint8Array.from([5, ...script]), "bitcoin");
const segwit = (version: number, program: Uint8Array) => {
  const coder = version === 0 ? bech32 : bech32m;
  return coder.encode("bc", [version, ...coder.toWords(program)]);
};

const byCount = <T>(make: (n: number) => T) => Array.from({ length: COUNT }, (_, n) => make(n));
const keyOf = (n: number) => hash(`a private key ${n}`);
const publicKey = (n: number) => secp256k1.getPublicKey(keyOf(n));
const keccak = (n: number) => keccak_256(secp256k1.getPublicKey(keyOf(n), false).subarray(1)).subarray(-20);

/** Real addresses of exchanges, companies and people. */
const REAL: Readonly<Record<ChainFamily, string[]>> = {
  EVM: [
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
    "0x28C6c06298d514Db089934071355E5743bf21d60",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0x00000000006c3852cbEf3e08E8dF289169EdE581",
    ...byCount((n) => evm(keccak(n))),
    ...byCount((n) => evm(keccak(n)).toLowerCase()),
  ],
  BTC: [
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo",
    "bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97",
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    ...byCount((n) => p2pkh(hash160(publicKey(n)))),
    ...byCount((n) => p2sh(hash160(hash(`a script ${n}`)))),
    ...byCount((n) => segwit(0, hash160(publicKey(n)))),
    ...byCount((n) => segwit(0, hash(`a witness script ${n}`))),
    ...byCount((n) => segwit(1, schnorr.getPublicKey(keyOf(n)))),
  ],
  TRON: ["TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH", ...byCount((n) => tron(keccak(n)))],
  SOLANA: [
    "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
    ...byCount((n) => base58.encode(ed25519.getPublicKey(keyOf(n)))),
    ...byCount((n) => base58.encode(hash(`a derived address ${n}`))),
  ],
  XRPL: ["rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe", ...byCount((n) => xrpl(hash160(publicKey(n))))],
};

const LISTED: readonly (readonly [ChainFamily, Loss, string])[] = [
  ["EVM", "nobody", "0x0000000000000000000000000000000000000000"],
  ["EVM", "nobody", "0x000000000000000000000000000000000000dEaD"],
  ["EVM", "nobody", "0xdead000000000000000000000000000000000000"],
  ["EVM", "nobody", "0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead"],
  ["EVM", "nobody", "0xdEAD000000000000000042069420694206942069"],
  ["EVM", "nobody", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
  ["EVM", "nobody", "0xffffffffffffffffffffffffffffffffffffffff"],
  ["EVM", "nobody", "0xfffffffffffffffffffffffffffffffffffffffe"],
  ["EVM", "nobody", "0x0000000000000000000000000000000000001010"],
  ["EVM", "nobody", "0x00000000000000000000000000000000deadbeef"],
  ["EVM", "nobody", "0x1234567890123456789012345678901234567890"],
  ["EVM", "network", "0x00000000219ab540356cBB839Cbe05303d7705Fa"],
  ["EVM", "network", "0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"],
  ["EVM", "anybody", "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"],
  ["EVM", "anybody", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"],
  ["EVM", "token", "0xdAC17F958D2ee523a2206206994597C13D831ec7"],
  ["EVM", "token", "0xdac17f958d2ee523a2206206994597c13d831ec7"],
  ["BTC", "nobody", "1BitcoinEaterAddressDontSendf59kuE"],
  ["BTC", "nobody", "1CounterpartyXXXXXXXXXXXXXXXUWLpVr"],
  ["BTC", "nobody", "1111111111111111111114oLvT2"],
  ["BTC", "nobody", "1QLbz7JHiBTspS962RLKV8GndWFwi5j6Qr"],
  ["BTC", "nobody", "1HT7xU2Ngenf7D4yocz2SAcnNLW7rK8d4E"],
  ["BTC", "nobody", "1FYMZEHnszCHKTBdFZ2DLrUuk3dGwYKQxh"],
  ["BTC", "anybody", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
  ["BTC", "anybody", "3MaB7QVq3k4pQx3BhsvEADgzQonLSBwMdj"],
  ["BTC", "anybody", "bc1pfeessrawgf"],
  ["BTC", "anybody", "BC1PFEESSRAWGF"],
  ["BTC", "anybody", "1EHNa6Q4Jz2uvNExL497mE43ikXhwF6kZm"],
  ["BTC", "anybody", "1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH"],
  ["BTC", "anybody", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["BTC", "anybody", "BC1SW50QGDZ25J"],
  ["BTC", "anybody", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs"],
  ["BTC", "anybody", "bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y"],
  ["BTC", "anybody", "bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9"],
  ["TRON", "nobody", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"],
  ["TRON", "nobody", "TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
  ["TRON", "token", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ["SOLANA", "network", "11111111111111111111111111111111"],
  ["SOLANA", "nobody", "1nc1nerator11111111111111111111111111111111"],
  ["SOLANA", "network", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"],
  ["SOLANA", "network", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"],
  ["SOLANA", "network", "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"],
  ["SOLANA", "network", "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"],
  ["SOLANA", "network", "Stake11111111111111111111111111111111111111"],
  ["SOLANA", "network", "Vote111111111111111111111111111111111111111"],
  ["SOLANA", "network", "Config1111111111111111111111111111111111111"],
  ["SOLANA", "network", "ComputeBudget111111111111111111111111111111"],
  ["SOLANA", "network", "BPFLoaderUpgradeab1e11111111111111111111111"],
  ["SOLANA", "network", "Ed25519SigVerify111111111111111111111111111"],
  ["SOLANA", "network", "KeccakSecp256k11111111111111111111111111111"],
  ["SOLANA", "network", "AddressLookupTab1e1111111111111111111111111"],
  ["SOLANA", "network", "SysvarC1ock11111111111111111111111111111111"],
  ["SOLANA", "network", "SysvarRent111111111111111111111111111111111"],
  ["SOLANA", "network", "Sysvar1nstructions1111111111111111111111111"],
  ["SOLANA", "network", "SysvarRecentB1ockHashes11111111111111111111"],
  ["SOLANA", "network", "SysvarStakeHistory1111111111111111111111111"],
  ["SOLANA", "network", "SysvarEpochSchedu1e111111111111111111111111"],
  ["SOLANA", "token", "So11111111111111111111111111111111111111112"],
  ["SOLANA", "token", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v"],
  ["XRPL", "nobody", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"],
  ["XRPL", "nobody", "rrrrrrrrrrrrrrrrrrrrBZbvji"],
  ["XRPL", "nobody", "rrrrrrrrrrrrrrrrrNAMEtxvNvQ"],
  ["XRPL", "nobody", "rrrrrrrrrrrrrrrrrrrn5RM1rHd"],
  ["XRPL", "nobody", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
];

/** Zeros, ones, small numbers and repeated words, unlike any key or hash. */
const accounts = [
  ...byCount((n) => ofNumber(20, n)),
  ...byCount((n) => ofNumber(20, 0xffff - n)),
  ...byCount((n) => filled(20, n)),
  ...["dead", "deadbeef", "cafe", "0123456789", "f00d", "12"].map((word) => repeating(20, word)),
];

describe("an address where coins are lost", () => {
  it.each(LISTED)("flags on %s as %s: %s", (family, loss, address) => {
    expect(canonicalAddress(family, address)).not.toBeNull();
    expect(lossAt(family, address)).toBe(loss);
  });

  it.each([
    ["EVM", evm],
    ["TRON", tron],
    ["XRPL", xrpl],
    ["BTC", p2pkh],
    ["BTC", p2sh],
    ["BTC", (account: Uint8Array) => segwit(0, account)],
  ] as const)("flags on %s an address without any known key or hash (%o)", (family, spelt) => {
    const missed = accounts.map(spelt).filter((address) => lossAt(family, address) !== "nobody");
    expect(missed).toEqual([]);
    expect(accounts.length).toBeGreaterThan(COUNT);
  });

  it("flags Bitcoin addresses of SegWit versions and lengths without rules yet", () => {
    const versions = byCount((n) => segwit(2 + (n % 15), hash(`${n}`).subarray(0, 2 + (n % 30))));
    const lengths = Array.from({ length: 30 }, (_, n) => segwit(1, hash(`${n}`).subarray(0, n + 2)));
    for (const address of [...versions, ...lengths]) expect(lossAt("BTC", address)).toBe("anybody");
  });

  it("flags always-true Bitcoin scripts and Taproot keys off the curve", () => {
    const isTrue = Uint8Array.from([0x51]);
    const program = Uint8Array.from(createHash("sha256").update(isTrue).digest());
    expect(lossAt("BTC", segwit(0, program))).toBe("anybody");
    expect(lossAt("BTC", p2sh(hash160(Uint8Array.from([0, 32, ...program]))))).toBe("anybody");
    const unknown = hex.decode("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0");
    expect(lossAt("BTC", segwit(1, unknown))).toBe("nobody");
    const onCurve = byCount((n) => lossAt("BTC", segwit(1, hash(`no key ${n}`)))).filter((loss) => loss === null);
    expect(onCurve.length).toBeGreaterThan(COUNT / 4);
    expect(onCurve.length).toBeLessThan((COUNT * 3) / 4);
  });

  it("flags a lost address in every spelling", () => {
    const zero = "0x0000000000000000000000000000000000000000";
    const usdt = "0xDAC17F958D2EE523A2206206994597C13D831EC7";
    expect(lossAt("EVM", ` ${zero} `)).toBe("nobody");
    expect(lossAt("EVM", usdt)).toBe("token");
    expect(lossAt("TRON", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c")).toBe("token");
    expect(lossAt("BTC", segwit(0, filled(20, 0)).toUpperCase())).toBe("nobody");
    for (const family of CHAIN_FAMILIES) expect(lossAt(family, "nowhere")).toBeNull();
  });
});

describe("an address that somebody can have", () => {
  it.each(CHAIN_FAMILIES)("accepts a usable address on %s", (family) => {
    const real = REAL[family];
    expect(real.length).toBeGreaterThan(COUNT);
    expect(real.filter((address) => canonicalAddress(family, address) === null)).toEqual([]);
    expect(real.filter((address) => lossAt(family, address) !== null)).toEqual([]);
  });
});
