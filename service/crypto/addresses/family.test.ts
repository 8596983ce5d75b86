import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { mnemonicToSeedSync } from "@scure/bip39";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalAddress } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES } from "@/lib/contract/crypto";
import { deriveAddress, ed25519PrivateKey, ed25519PublicKey, evmAddress, xrplAddress } from "./family";

const PUBLISHED_PHRASE = `${"abandon ".repeat(11)}about`;
const seed = mnemonicToSeedSync(PUBLISHED_PHRASE);

describe("addresses from the published phrase", () => {
  it("gives the Bitcoin addresses that BIP-84 prints", () => {
    expect(deriveAddress(seed, "BTC", 0)).toBe("bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu");
    expect(deriveAddress(seed, "BTC", 1)).toBe("bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g");
  });

  it("gives the Ethereum address that wallets show", () => {
    expect(deriveAddress(seed, "EVM", 0)).toBe("0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
  });

  it("gives the TRON, Solana and XRP Ledger addresses that wallets show", () => {
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

  it("shows the well-known account of the private key one", () => {
    const publicKey = secp256k1.getPublicKey(hex.decode("1".padStart(64, "0")));
    expect(evmAddress(publicKey)).toBe("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf");
  });

  it("encodes the XRP Ledger's documented example key", () => {
    const publicKey = hex.decode("ED9434799226374926EDA3B54B1B461B4ABF7237962EAE18528FEA67595397FA32".toLowerCase());
    expect(xrplAddress(publicKey)).toBe("rDTXLQ7ZKZVKz33zJbHjgVShjsBnqMBhmN");
  });
});

describe("every family", () => {
  it.each(CHAIN_FAMILIES)("derives distinct %s addresses that pass their own check", (family) => {
    const addresses = Array.from({ length: 20 }, (_, index) => deriveAddress(seed, family, index));
    expect(new Set(addresses).size).toBe(20);
    expect(addresses.map((address) => canonicalAddress(family, address))).toEqual(addresses);
  });

  it("refuses an address with one changed character on a network with checksums", () => {
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
});
