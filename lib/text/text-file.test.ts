import { expect, it } from "vitest";
import { isSendable, mayBeSendable, readTextFile } from "./text-file";

const TEXT = "endereço;própria;Caixa São João – ação\r\n";
const LATIN = "endereço;própria;Caixa São João ação\r\n";
const MAC: Readonly<Record<string, number>> = { ç: 0x8d, ó: 0x97, ã: 0x8b };

const bytesOf = (text: string, encoding: BufferEncoding) => Uint8Array.from(Buffer.from(text, encoding));
const ofMac = (text: string) => Uint8Array.from(Array.from(text, (sign) => MAC[sign] ?? sign.charCodeAt(0)));
const swapped = (bytes: Uint8Array) => Uint8Array.from(bytes, (_, at) => bytes[at % 2 === 0 ? at + 1 : at - 1] ?? 0);

it.each([
  ["UTF-8", bytesOf(TEXT, "utf8"), TEXT],
  ["UTF-8 with its mark", bytesOf(`\ufeff${TEXT}`, "utf8"), TEXT],
  ["UTF-8 with decomposed letters", bytesOf(TEXT.normalize("NFD"), "utf8"), TEXT],
  ["Windows-1252", bytesOf(LATIN, "latin1"), LATIN],
  ["Mac Roman with its line ends", ofMac(LATIN.replace("\r\n", "\r")), LATIN.replace("\r\n", "\r")],
  ["UTF-16 with its mark", bytesOf(`\ufeff${TEXT}`, "utf16le"), TEXT],
  ["UTF-16 without", bytesOf(TEXT, "utf16le"), TEXT],
  ["UTF-16 of the other order", swapped(bytesOf(`\ufeff${TEXT}`, "utf16le")), TEXT],
])("reads the text file %s", (_, bytes, text) => expect(readTextFile(bytes)).toBe(text));

const MAC_CAPITALS: Readonly<Record<string, number>> = { Á: 0xe7, Í: 0xea, Ú: 0xf2, Ã: 0xcc };

it.each(["ÁGUA", "ÍNDICE", "ÚLTIMO", "SÃO JOÃO"])("reads %s with Mac and Windows line endings", (text) => {
  const line = `endereco;propria;${text}\r`;
  const mac = Uint8Array.from(Array.from(line, (sign) => MAC_CAPITALS[sign] ?? sign.charCodeAt(0)));
  expect(readTextFile(mac)).toBe(line);
  expect(readTextFile(bytesOf(line, "latin1"))).toBe(line);
});

it.each([
  ["a spreadsheet's own format", bytesOf("PK\u0003\u0004\u0000\u0000", "latin1")],
  ["what another program could not read", bytesOf("endere\ufffdo;own;Caixa", "utf8")],
])("refuses the text file %s", (_, bytes) => expect(readTextFile(bytes)).toBeNull());

it("sends a text of a megabyte at most, with its quotes and line ends escaped", () => {
  expect(isSendable("a".repeat(999_998))).toBe(true);
  expect(isSendable("a".repeat(999_999))).toBe(false);
  expect(isSendable('"\n'.repeat(250_000))).toBe(false);
  expect(isSendable("ã".repeat(500_000))).toBe(false);
  expect(mayBeSendable({ size: 5_000_000 })).toBe(false);
});
