import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { mnemonicToSeedSync } from "@scure/bip39";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAIN_FAMILIES, FAMILY_NETWORKS, NETWORKS } from "@/lib/contract/crypto";
import {
  canonicalAddress,
  canonicalEvm,
  deriveAddress,
  ed25519PrivateKey,
  ed25519PublicKey,
  evmAddress,
  familyOf,
  isAddress,
  xrplAddress,
} from "./family";

const PUBLISHED_PHRASE = `${"abandon ".repeat(11)}about`;
const seed = mnemonicToSeedSync(PUBLISHED_PHRASE);

describe("addresses from the published phrase", () => {
  it("gives the Bitcoin addresses that BIP-84 prints", () => {
    expect(deriveAddress(seed, "BTC", 0)).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    expect(deriveAddress(seed, "BTC", 1)).toBe("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
  });

  it("gives the Ethereum address that wallets show for it", () => {
    expect(deriveAddress(seed, "EVM", 0)).toBe("0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
  });

  it("gives the TRON, Solana and XRP Ledger addresses that wallets show for it", () => {
    expect(deriveAddress(seed, "TRON", 0)).toBe("TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH");
    expect(deriveAddress(seed, "SOLANA", 0)).toBe("HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk");
    expect(deriveAddress(seed, "XRPL", 0)).toBe("rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3");
  });
});

describe("published vectors of the encodings", () => {
  it("derives the keys of SLIP-0010's first ed25519 vector", () => {
    const vectorSeed = hex.decode("000102030405060708090a0b0c0d0e0f");
    expect(hex.encode(ed25519PrivateKey(vectorSeed, []))).toBe(
      "2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7",
    );
    expect(hex.encode(ed25519PrivateKey(vectorSeed, [0]))).toBe(
      "68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3",
    );
    expect(hex.encode(ed25519PublicKey(vectorSeed, [0, 1, 2, 2, 1_000_000_000]))).toBe(
      "3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a",
    );
  });

  it.each([
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
  ])("accepts EIP-55's %s and restores it from lower case", (address) => {
    expect(canonicalEvm(address)?.toLowerCase()).toBe(address.toLowerCase());
    expect(canonicalEvm(address.toLowerCase())).toBe(canonicalEvm(address));
  });

  it("shows the well-known account of the private key one", () => {
    const publicKey = secp256k1.getPublicKey(hex.decode("1".padStart(64, "0")));
    expect(evmAddress(publicKey)).toBe("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
  });

  it("encodes the XRP Ledger's documented example key", () => {
    const publicKey = hex.decode("ED9434799226374926EDA3B54B1B461B4ABF7237962EAE18528FEA67595397FA32".toLowerCase());
    expect(xrplAddress(publicKey)).toBe("rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN");
  });

  it.each([
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["BITCOIN", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy"],
    ["BITCOIN", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
    ["BITCOIN", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"],
    ["TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
    ["SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v"],
    ["XRPL", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
    ["XRPL", "rrrrrrrrrrrrrrrrrrrrrhoLvTp"],
  ] as const)("takes the %s destination %s", (network, address) => {
    expect(isAddress(network, address)).toBe(true);
  });

  it.each([
    ["ETHEREUM", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed"],
    ["ETHEREUM", "5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["BITCOIN", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
    ["BITCOIN", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7Kv8f3t4"],
    ["BITCOIN", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
    ["BITCOIN", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
    ["TRON", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
    ["TRON", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
    ["SOLANA", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1"],
    ["SOLANA", "0OIl"],
    ["XRPL", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi"],
    ["XRPL", ""],
  ] as const)("refuses the %s destination %s", (network, address) => {
    expect(isAddress(network, address)).toBe(false);
  });
});

describe("every family", () => {
  it.each(CHAIN_FAMILIES)("derives %s addresses that are distinct and pass their own check", (family) => {
    const addresses = Array.from({ length: 20 }, (_, index) => deriveAddress(seed, family, index));
    expect(new Set(addresses).size).toBe(20);
    expect(addresses.map((address) => canonicalAddress(family, address))).toEqual(addresses);
  });

  it("refuses an address with one changed character, where the network has a checksum", () => {
    const families = CHAIN_FAMILIES.filter((family) => family !== "SOLANA" && family !== "EVM");
    const change = fc.tuple(
      fc.constantFrom(...families),
      fc.nat(19),
      fc.nat(60),
      fc.constantFrom("0", "2", "7", "a", "c", "f", "z"),
    );
    fc.assert(
      fc.property(change, ([family, index, place, letter]) => {
        const address = deriveAddress(seed, family, index);
        const at = 1 + (place % (address.length - 1));
        const changed = `${address.slice(0, at)}${letter}${address.slice(at + 1)}`;
        expect(canonicalAddress(family, changed)).toBe(changed === address ? address : null);
      }),
    );
  });

  it("never throws on any text", () => {
    fc.assert(
      fc.property(fc.constantFrom(...NETWORKS), fc.string({ unit: "binary" }), (network, text) => {
        expect(isAddress(network, text)).toBeTypeOf("boolean");
      }),
    );
  });

  it("has exactly the networks that the interface lists under it", () => {
    expect(NETWORKS.map((network) => FAMILY_NETWORKS[familyOf(network)].includes(network))).toEqual(
      NETWORKS.map(() => true),
    );
  });
});
