import { FpIsSquare } from "@noble/curves/abstract/modular.js";
import { secp256k1, schnorr } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hex } from "@scure/base";
import { addressBytes } from "./address-bytes";
import { decodeSegwit } from "./addresses";
import { CHAIN_FAMILIES, type ChainFamily } from "./crypto";

/** Why coins sent there are lost: nobody has its key, everybody does, or it is a network's program or a token. */
export const LOSSES = ["nobody", "anybody", "network", "token"] as const;
export type Loss = (typeof LOSSES)[number];

const KNOWN: Readonly<Record<ChainFamily, Readonly<Partial<Record<Loss, readonly string[]>>>>> = {
  EVM: {
    nobody: ["0xdEAD000000000000000042069420694206942069"],
    network: [
      "0x00000000219ab540356cBB839Cbe05303d7705Fa",
      "0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02",
      "0x0000F90827F1C53a10cb7A02335B175320002935",
      "0x00000961Ef480Eb55e80D19ad83579A64c007002",
      "0x0000BBdDc7CE488642fb579F8B00f3a590007251",
      "0x70bcA57F4579f58670aB2d18Ef16e02C17553C38",
    ],
    token: [
      "0xdAC17F958D2ee523a2206206994597C13D831ec7",
      "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      "0x6B175474E89094C44Da98b954EedeAC495271d0F",
      "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
      "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
      "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
      "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
      "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
      "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
      "0x55d398326f99059fF775485246999027B3197955",
      "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
      "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
      "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56",
    ],
    anybody: [
      "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
      "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
    ],
  },
  BTC: { nobody: ["1BitcoinEaterAddressDontSendf59kuE"] },
  TRON: {
    nobody: ["TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy"],
    token: [
      "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
      "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8",
      "TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR",
      "TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn",
    ],
  },
  SOLANA: {
    nobody: ["1nc1nerator11111111111111111111111111111111"],
    network: [
      "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
      "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
      "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
      "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
      "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo",
      "metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s",
      "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX",
      "SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy",
    ],
    token: [
      "So11111111111111111111111111111111111111112",
      "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
      "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
      "mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So",
    ],
  },
  // The ledger's genesis account: its key is public, and is disabled.
  XRPL: { nobody: ["rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"] },
};

const hash160 = (bytes: Uint8Array) => ripemd160(sha256(bytes));
const joined = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  hex.encode(Uint8Array.from(parts.flatMap((part) => [...part])));

const payingTo = {
  key: (hash: Uint8Array) => joined([0x76, 0xa9, 20], hash, [0x88, 0xac]),
  script: (hash: Uint8Array) => joined([0xa9, 20], hash, [0x87]),
  witness: (program: Uint8Array) => joined([0, program.length], program),
  taproot: (key: Uint8Array) => joined([0x51, 32], key),
};

function hashesOf(script: Uint8Array): string[] {
  const nested = Uint8Array.from([0, 32, ...sha256(script)]);
  return [payingTo.script(hash160(script)), payingTo.witness(sha256(script)), payingTo.script(hash160(nested))];
}

/** True without a signature: nothing at all, a number, `DROP 1`, the witness program of pay-to-anchor. */
const OPEN_SCRIPTS = [
  "",
  "4f",
  "0101",
  "7551",
  "51024e73",
  ...Array.from({ length: 16 }, (_, n) => (0x51 + n).toString(16)),
];
const SHUT_SCRIPTS = ["00", "6a"];
/** People hashed these bytes as if they were a public key; nobody can sign for them. */
const NO_KEYS = [0, 1, 32, 33, 65].map((size) => new Uint8Array(size));
/** BIP-341's point, whose key nobody knows. */
const UNKNOWN_KEY = hex.decode("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0");

function bitcoinRules(): [string, Loss][] {
  const loss = (of: Loss, scripts: readonly string[]): [string, Loss][] => scripts.map((script) => [script, of]);
  return [
    ...loss(
      "anybody",
      OPEN_SCRIPTS.flatMap((script) => hashesOf(hex.decode(script))),
    ),
    ...loss(
      "nobody",
      SHUT_SCRIPTS.flatMap((script) => hashesOf(hex.decode(script))),
    ),
    ...loss(
      "nobody",
      NO_KEYS.map(hash160).flatMap((hash) => [payingTo.key(hash), payingTo.witness(hash)]),
    ),
    ...loss("nobody", [payingTo.taproot(UNKNOWN_KEY)]),
  ];
}

type LostAddress = { family: ChainFamily; bytes: string };

function tweaked(key: Uint8Array): Uint8Array {
  const { lift_x: lift, taggedHash } = schnorr.utils;
  const tweak = BigInt(`0x${hex.encode(taggedHash("TapTweak", key))}`);
  const { BASE } = secp256k1.Point;
  return lift(BigInt(`0x${hex.encode(key)}`))
    .add(BASE.multiply(tweak))
    .toBytes(true)
    .subarray(1);
}

function accountsOf(privateKey: Uint8Array): LostAddress[] {
  const point = secp256k1.Point.fromBytes(secp256k1.getPublicKey(privateKey));
  const short = point.toBytes(true);
  const long = point.toBytes(false);
  const account = hex.encode(keccak_256(long.subarray(1)).subarray(-20));
  const nested = Uint8Array.from([0, 20, ...hash160(short)]);
  const scripts = [
    payingTo.key(hash160(short)),
    payingTo.key(hash160(long)),
    payingTo.witness(hash160(short)),
    payingTo.script(hash160(nested)),
    payingTo.taproot(point.toBytes(true).subarray(1)),
    payingTo.taproot(tweaked(schnorr.getPublicKey(privateKey))),
  ];
  return [
    { family: "EVM", bytes: account },
    { family: "TRON", bytes: account },
    { family: "XRPL", bytes: hex.encode(hash160(short)) },
    ...scripts.map((bytes): LostAddress => ({ family: "BTC", bytes })),
  ];
}

const PUBLIC_KEYS = 16;

function publicKeyAccounts(): LostAddress[] {
  return Array.from({ length: PUBLIC_KEYS }, (_, n) => Uint8Array.from([...new Uint8Array(31), n + 1])).flatMap(
    accountsOf,
  );
}

const keyOf = (family: ChainFamily, bytes: string) => `${family} ${bytes}`;

function tabled(): ReadonlyMap<string, Loss> {
  const table = new Map<string, Loss>();
  for (const { family, bytes } of publicKeyAccounts()) table.set(keyOf(family, bytes), "anybody");
  for (const [script, loss] of bitcoinRules()) table.set(keyOf("BTC", script), loss);
  for (const family of CHAIN_FAMILIES)
    for (const loss of LOSSES)
      for (const address of KNOWN[family][loss] ?? []) {
        const bytes = addressBytes(family, address);
        if (bytes === null) throw new Error(`${address} is no address of ${family}`);
        table.set(keyOf(family, bytes), loss);
      }
  return table;
}

let table: ReadonlyMap<string, Loss> | undefined;

const ALIKE_DIGITS = 20;
const PERIOD_MAX = 16;

/** Zeros, repeated `dead`, a small number: 80 repeating bits come from no key and no hash. */
function isPatterned(bytes: string): boolean {
  for (let period = 1; period <= PERIOD_MAX; period += 1) {
    let alike = 0;
    for (let at = period; at < bytes.length; at += 1) {
      alike = bytes[at] === bytes[at - period] ? alike + 1 : 0;
      if (alike >= ALIKE_DIGITS) return true;
    }
  }
  return false;
}

/** Ten equal base58 characters, as in invented names: 1CounterpartyXXXX…, Stake1111…. */
const isMadeUp = (address: string) => /(.)\1{9}/.test(address);

const { Fp } = secp256k1.Point;

function isOnCurve(key: Uint8Array): boolean {
  const x = BigInt(`0x${hex.encode(key)}`);
  return x < Fp.ORDER && FpIsSquare(Fp, Fp.add(Fp.pow(x, 3n), 7n));
}

const TAPROOT_BYTES = 32;

/** Only versions 0 and 1 have rules: anybody may spend other versions, or other lengths of version 1. */
function segwitLoss(address: string): Loss | null {
  const segwit = decodeSegwit(address);
  if (segwit === null || segwit.version === 0) return null;
  const { version, program } = segwit;
  if (version > 1 || program.length !== TAPROOT_BYTES) return "anybody";
  return isOnCurve(program) ? null : "nobody";
}

function chosenOf(family: ChainFamily, bytes: string): string {
  if (family !== "BTC") return bytes;
  if (bytes.startsWith("76a9")) return bytes.slice(6, -4);
  return bytes.startsWith("a9") ? bytes.slice(4, -2) : bytes.slice(4);
}

/** Why coins sent to it are lost, in any spelling; null when somebody may have its key. */
export function lossAt(family: ChainFamily, address: string): Loss | null {
  const bytes = addressBytes(family, address);
  if (bytes === null) return null;
  table ??= tabled();
  const known = table.get(keyOf(family, bytes));
  if (known !== undefined) return known;
  if (family === "BTC") {
    const loss = segwitLoss(address);
    if (loss !== null) return loss;
  }
  if (family === "SOLANA" && isMadeUp(address)) return "network";
  const isText = family === "BTC" ? decodeSegwit(address) === null : family !== "EVM";
  return isPatterned(chosenOf(family, bytes)) || (isText && isMadeUp(address)) ? "nobody" : null;
}
