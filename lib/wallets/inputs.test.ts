import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import messages from "@/messages/en.json";
import { explainFields } from "@/lib/errors/explain";
import { RateFile } from "@/lib/position/inputs";
import { pastedAddress, AddressFilter, WalletFile, WalletFilter } from "./inputs";

const EVM = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const BITCOIN = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";
const XRPL = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";

it.each([
  [BITCOIN.toUpperCase(), BITCOIN],
  [`bitcoin:${BITCOIN}`, BITCOIN],
  [`BITCOIN:${BITCOIN.toUpperCase()}?AMOUNT=0.5&label=Ana`, BITCOIN],
  [`bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT?amount=1`, "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"],
  [`ethereum:${EVM}`, EVM],
  [`ethereum:pay-${EVM}@137?value=1e18`, EVM],
  [`ethereum:${TOKEN}@1/transfer?address=${EVM}&uint256=1`, EVM],
  [`eip155:137:${EVM}`, EVM],
  [`solana:HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk?amount=1`, "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk"],
  [`${XRPL}:12345`, XRPL],
  [`${XRPL}?dt=12345`, XRPL],
  [`${XRPL} tag 12345`, XRPL],
  [`xrpl:${XRPL}?dt=12345`, XRPL],
  ["XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H", XRPL],
  ["XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBm", XRPL],
  ["XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBn", "XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD2gYsjNFQLKYW33DzBn"],
  [`\u2066${EVM}\u2069`, EVM],
  ["0xAbC1", "0xAbC1"],
  ["wallet-7", "wallet-7"],
])("reads the address in %s", (text, address) => {
  expect(pastedAddress(text)).toBe(address);
  expect(WalletFilter.parse({ search: text }).search).toBe(address);
});

it.each([
  ["PED-104", true],
  ["104/a", true],
  ["12345678", true],
  ["123456789", false],
  ["104-2", false],
  ["order;7", false],
  ["-", false],
])("reads %s as a reference: %s", (text, isOne) => {
  expect(AddressFilter.parse({ search: text }).search).toBe(isOne ? text : undefined);
});

it.each(["222959", "CPF 529.982.247-25", "Ana 52998224725", "***.982.247-**"])(
  "does not search wallets for %s",
  (search) => {
    expect(WalletFilter.parse({ search }).search).toBeUndefined();
  },
);

const lines = (count: number) => Array.from({ length: count }, () => "a;b").join("\r\n");

describe("a file of rows", () => {
  const say = createTranslator({ locale: "en", messages });

  it.each([WalletFile, RateFile])("refuses a file at its field when it has too many rows", (schema) => {
    const { error } = schema.safeParse({ csv: lines(5_002) });
    expect(explainFields(error?.issues ?? [], say)).toEqual({ csv: "More than 5000 rows: split the file." });
  });

  it("accepts 5,000 rows, a header and a final line break", () => {
    expect(WalletFile.safeParse({ csv: `${lines(5_001)}\r\n` }).success).toBe(true);
  });
});
