import { inflateSync } from "node:zlib";

type Block = { text: string; top: string };

/** Read through the character maps that a viewer copies text by. */
function blocksOf(pdf: Uint8Array): Block[] {
  const bytes = Buffer.from(pdf);
  const latin = bytes.toString("latin1");
  const objects = new Map<string, { head: string; stream: string }>();
  for (const { 0: whole, 1: id = "", index } of latin.matchAll(/^(\d+) 0 obj\n/gm)) {
    const from = index + whole.length;
    const [length] = /(?<=\/Length )\d+/.exec(latin.slice(from, latin.indexOf("endobj", from))) ?? [];
    const begins = latin.indexOf("stream\n", from) + "stream\n".length;
    const isStream = length !== undefined && begins < latin.indexOf("endobj", from);
    const head = latin.slice(from, isStream ? begins : latin.indexOf("endobj", from));
    const raw = isStream ? bytes.subarray(begins, begins + Number(length)) : Buffer.alloc(0);
    objects.set(id, { head, stream: head.includes("/FlateDecode") ? inflateSync(raw).toString("latin1") : "" });
  }
  const known = new Map<string, string[]>();
  const letters = (name: string): string[] => {
    const map = known.get(name) ?? lettersOf(name);
    known.set(name, map);
    return map;
  };
  const lettersOf = (name: string): string[] => {
    const [, font = ""] = new RegExp(`/${name} (\\d+) 0 R`).exec(latin) ?? [];
    const [, map = ""] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? "") ?? [];
    const ranges = objects.get(map)?.stream ?? "";
    return [...ranges.matchAll(/\[(.*?)\]/gs)].flatMap(([, range = ""]) =>
      Array.from(range.matchAll(/<([\da-f ]*)>/g), ([, hex = ""]) => hex.replaceAll(" ", "")),
    );
  };
  return [...objects.values()].flatMap(({ stream }) =>
    [...stream.matchAll(/BT\n(.*?)ET/gs)].map(([, block = ""]) => {
      const [, name = ""] = /\/(F\d+) [\d.]+ Tf/.exec(block) ?? [];
      const map = letters(name);
      const [, top = ""] = /1 0 0 1 [\d.]+ ([\d.]+) Tm/.exec(block) ?? [];
      const text = (block.match(/(?<=<)[\da-f]+(?=>)/g) ?? [])
        .flatMap((run) => run.match(/.{4}/g) ?? [])
        .map((code) => map[Number.parseInt(code, 16)] ?? "")
        .map((hex) => Buffer.from(hex, "hex").swap16().toString("utf16le"))
        .join("")
        .replaceAll("\u00A0", " ");
      return { text, top };
    }),
  );
}

/** The text of a PDF by `Paper`, one item a line of a cell; right-to-left words are separate. */
export const textsOf = (pdf: Uint8Array): string[] => blocksOf(pdf).map(({ text }) => text);

/** The text of one line, as the eye reads it from left to right. */
export function rowsOf(pdf: Uint8Array): string[] {
  const rows: Block[] = [];
  for (const { text, top } of blocksOf(pdf)) {
    const row = rows.at(-1);
    if (row?.top === top) row.text += text;
    else rows.push({ text, top });
  }
  return rows.map(({ text }) => text);
}
