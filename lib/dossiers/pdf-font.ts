import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font, type FontCollection } from "fontkit";
import { namingHidden } from "@/lib/hidden-signs";

const FOLDER = "node_modules/dejavu-fonts-ttf/ttf";
const FILES = { body: "DejaVuSansCondensed", bold: "DejaVuSansCondensed-Bold", mono: "DejaVuSansMono" } as const;

export type Face = keyof typeof FILES;
/** Its bytes, and how it prints a text. */
type FaceKit = { file: Buffer; print: (text: string) => string };
export type Fonts = Record<Face, FaceKit>;

const isFont = (made: Font | FontCollection): made is Font => "hasGlyphForCodePoint" in made;

const codePointName = (sign: string) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** What the face can print as it is, and by its code point what it cannot: a reader never meets an empty box. */
function printer(file: Buffer): (text: string) => string {
  const font = create(file);
  if (!isFont(font)) throw new Error("a font file holds one font");
  const isPrintable = (sign: string) => sign === "\n" || font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
  return (text) =>
    Array.from(namingHidden(text).replaceAll("\t", "  ").normalize("NFC"))
      .map((sign) => (isPrintable(sign) ? sign : codePointName(sign)))
      .join("");
}

async function readFace(face: Face): Promise<FaceKit> {
  const file = await readFile(join(process.cwd(), FOLDER, `${FILES[face]}.ttf`));
  return { file, print: printer(file) };
}

async function readFaces(): Promise<Fonts> {
  const [body, bold, mono] = await Promise.all([readFace("body"), readFace("bold"), readFace("mono")]);
  return { body, bold, mono };
}

let read: Promise<Fonts> | undefined;

/** The fonts that go into every PDF, read once: Latin, Greek, Cyrillic, Arabic, Hebrew and more, whatever the reader has. */
export const fonts = (): Promise<Fonts> => (read ??= readFaces());
