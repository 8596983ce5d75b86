import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font, type FontCollection } from "fontkit";
import Pdf from "pdfkit";
import { namingHidden } from "@/lib/text/safe-link";
import { holdsRightToLeft, linesOf } from "./right-to-left";

const FOLDER = "node_modules/dejavu-fonts-ttf/ttf";
const FILES = { body: "DejaVuSansCondensed", bold: "DejaVuSansCondensed-Bold", mono: "DejaVuSansMono" } as const;

type Face = keyof typeof FILES;
type FaceKit = { file: Buffer; print: (text: string) => string };
type Fonts = Record<Face, FaceKit>;

const isFont = (made: Font | FontCollection): made is Font => "hasGlyphForCodePoint" in made;

const codePointName = (sign: string) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** Characters without a glyph print as their code point, never as an empty box. */
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

/** Read once. Latin, Greek, Cyrillic, Arabic, Hebrew and more. */
export const fonts = (): Promise<Fonts> => (read ??= readFaces());

const MARGIN = 54;
const FOOTER_HEIGHT = 46;
const LABEL_WIDTH = 132;
const GAP = 12;
const LINE_GAP = 2;
const LOGO_WIDTH = 120;
const LOGO_HEIGHT = 40;
const COLUMN_GAP = 10;
const ROW_GAP = 4;
const CELL_MAX = 600;

const INK = "#16181d";
const MUTED = "#5d6470";
const LINE = "#d5d9e0";

const LABEL: Style = { size: 8.5, color: MUTED };
const CELL: Style = { size: 8.5 };

type Structure = PDFKit.PDFStructureElement;
type Style = { face?: Face; size?: number; color?: string };

type Place = {
  x: number;
  y: number;
  width: number;
  align?: "left" | "right";
  lineGap?: number;
  structParent?: Structure;
  structType?: string;
};

type PaperOptions = {
  title: string;
  language: string;
  printedAt: Date;
  /** `pages` null: the total of a streamed document is unknown. */
  footer: (page: number, pages: number | null) => string;
  /** At the top of every page but the first. */
  head?: string;
  /** Streamed page by page, and therefore without tags, which would be kept to the end. */
  isEndless?: boolean;
};

export type Letterhead = { name: string; details: readonly string[]; logo: Buffer | null };

/** Takes its `share` of the width, out of the sum of all shares. */
export type PaperColumn = { label: string; share: number; isNumber?: boolean };

function newDocument({ title, language, printedAt, isEndless = false }: PaperOptions): PDFKit.PDFDocument {
  return new Pdf({
    size: "A4",
    margins: { top: MARGIN, bottom: MARGIN + FOOTER_HEIGHT, left: MARGIN, right: MARGIN },
    pdfVersion: "1.7",
    tagged: !isEndless,
    lang: language,
    displayTitle: true,
    bufferPages: !isEndless,
    // The cache would keep every word ever laid out.
    fontLayoutCache: !isEndless,
    info: { Title: title, Creator: "Retaguarda", Producer: "Retaguarda", CreationDate: printedAt, ModDate: printedAt },
  });
}

function collected(document: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve, reject) => {
    document.on("data", (part: Buffer) => parts.push(part));
    document.on("end", () => resolve(Buffer.concat(parts)));
    document.on("error", reject);
  });
}

/** Written from top to bottom; this class alone decides the layout. */
export class Paper {
  readonly #document: PDFKit.PDFDocument;
  readonly #options: PaperOptions;
  readonly #fonts: Fonts;
  readonly #root: Structure | null;
  #section: Structure | null;
  #list: Structure | null = null;
  #columns: readonly PaperColumn[] = [];
  #table: Structure | null = null;
  #page = 1;

  private constructor(options: PaperOptions, faces: Fonts) {
    this.#options = options;
    this.#fonts = faces;
    this.#document = newDocument(options);
    for (const face of ["body", "bold", "mono"] as const) this.#document.registerFont(face, faces[face].file);
    this.#root = options.isEndless === true ? null : this.#document.struct("Document");
    if (this.#root !== null) this.#document.addStructure(this.#root);
    this.#section = this.#root;
    if (options.isEndless === true) this.#writeFooter(this.#page, null);
    this.#document.on("pageAdded", () => this.#beginPage());
  }

  #beginPage(): void {
    const { isEndless = false, head } = this.#options;
    this.#page += 1;
    if (isEndless) this.#writeFooter(this.#page, null);
    const document = this.#document;
    document.x = MARGIN;
    document.y = MARGIN;
    if (head === undefined) return;
    this.#artifact(() => this.#put(head, LABEL, { x: MARGIN, y: MARGIN, width: this.#width, lineGap: 0 }));
    document.y += ROW_GAP;
    if (this.#columns.length > 0) this.#artifact(() => this.#writeHeads());
  }

  #artifact(write: () => void): void {
    this.#document.markContent("Artifact", { type: "Pagination" });
    write();
    this.#document.endMarkedContent();
  }

  #tagged(parent: Structure | null, structType: string) {
    return parent === null ? {} : { structParent: parent, structType };
  }

  static async open(options: PaperOptions): Promise<Paper> {
    return new Paper(options, await fonts());
  }

  get #width(): number {
    return this.#document.page.width - 2 * MARGIN;
  }

  #styled(text: string, { face = "body", size = 9.5, color = INK }: Style): string {
    this.#document.font(face).fontSize(size).fillColor(color);
    return this.#fonts[face].print(text);
  }

  #heightOf(text: string, style: Style, width: number): number {
    const printable = this.#styled(text, style);
    if (!holdsRightToLeft(printable)) return this.#document.heightOfString(printable, { width, lineGap: LINE_GAP });
    return this.#linesOf(printable, width).length * (this.#document.currentLineHeight(true) + LINE_GAP);
  }

  #linesOf(printable: string, width: number): string[][] {
    return linesOf(printable, width, (piece) => this.#document.widthOfString(piece));
  }

  #put(text: string, style: Style, { x, y, ...place }: Place): void {
    const document = this.#document;
    const printable = this.#styled(text, style);
    if (!holdsRightToLeft(printable)) document.text(printable, x, y, { lineGap: LINE_GAP, ...place });
    else this.#putLines(printable, style, { x, y, ...place });
  }

  /** Screen readers and copies get the text in its written order. */
  #putLines(printable: string, style: Style, { x, y, width, align, lineGap = LINE_GAP, ...tags }: Place): void {
    const document = this.#document;
    const { structParent, structType = "P" } = tags;
    const lines = this.#linesOf(printable, width);
    const height = document.currentLineHeight(true) + lineGap;
    structParent?.add(document.struct(structType, { actual: printable }, [document.markStructureContent(structType)]));
    document.y = y;
    for (const pieces of lines) {
      if (document.y + height > document.page.maxY()) {
        document.continueOnNewPage();
        this.#styled("", style);
      }
      const top = document.y;
      const widths = pieces.map((piece) => document.widthOfString(piece));
      const lineWidth = widths.reduce((sum, one) => sum + one, 0);
      let left = align === "right" ? x + width - lineWidth : x;
      for (const [at, piece] of pieces.entries()) {
        document.text(piece, left, top, { lineBreak: false });
        left += widths[at] ?? 0;
      }
      document.x = x;
      document.y = top + height;
    }
  }

  /** Content taller than a page starts where it is. */
  #keepTogether(height: number): void {
    const { page, y } = this.#document;
    const bottom = page.height - page.margins.bottom;
    if (y + height > bottom && height < bottom - MARGIN) this.#document.addPage();
  }

  #write(text: string, structType: string, style: Style, width = this.#width): void {
    this.#list = null;
    this.#put(text, style, { x: MARGIN, y: this.#document.y, width, ...this.#tagged(this.#section, structType) });
  }

  /** Not read aloud. */
  #rule(y: number, type: "Layout" | "Pagination"): void {
    this.#document.markContent("Artifact", { type });
    this.#document
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + this.#width, y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.#document.endMarkedContent();
  }

  letterhead({ name, details, logo }: Letterhead): void {
    const document = this.#document;
    const top = document.y;
    if (logo !== null) {
      const left = MARGIN + this.#width - LOGO_WIDTH;
      document.markContent("Artifact", { type: "Layout" });
      document.image(logo, left, top, { fit: [LOGO_WIDTH, LOGO_HEIGHT], align: "right" });
      document.endMarkedContent();
      document.y = top;
    }
    const width = logo === null ? this.#width : this.#width - LOGO_WIDTH - GAP;
    this.#write(name, "P", { face: "bold", size: 11.5 }, width);
    for (const text of details) this.#write(text, "P", LABEL, width);
    document.y = Math.max(document.y, logo === null ? 0 : top + LOGO_HEIGHT) + GAP;
    this.#rule(document.y, "Layout");
    document.y += 2 * GAP;
  }

  title(text: string, below: string): void {
    this.#write(text, "H1", { face: "bold", size: 19 });
    this.#document.moveDown(0.2);
    this.#write(below, "P", { size: 10.5, color: MUTED });
  }

  heading(text: string): void {
    this.#document.moveDown(1.1);
    this.#keepTogether(76);
    this.#columns = [];
    this.#table = null;
    if (this.#root !== null) {
      this.#section = this.#document.struct("Sect", { title: text });
      this.#root.add(this.#section);
    }
    this.#rule(this.#document.y, "Layout");
    this.#document.y += 9;
    this.#write(text, "H2", { face: "bold", size: 11.5 });
    this.#document.moveDown(0.45);
  }

  #listItem(): Structure | null {
    if (this.#section === null) return null;
    const list = this.#list ?? this.#document.struct("L");
    if (this.#list === null) this.#section.add(list);
    this.#list = list;
    const item = this.#document.struct("LI");
    list.add(item);
    return item;
  }

  fact(name: string, value: string, style: Style = {}): void {
    const document = this.#document;
    const valueWidth = this.#width - LABEL_WIDTH - GAP;
    this.#keepTogether(Math.max(this.#heightOf(name, LABEL, LABEL_WIDTH), this.#heightOf(value, style, valueWidth)));
    const item = this.#listItem();
    const top = document.y;
    this.#put(name, LABEL, { x: MARGIN, y: top + 0.8, width: LABEL_WIDTH, ...this.#tagged(item, "Lbl") });
    const afterLabel = document.y;
    const left = MARGIN + LABEL_WIDTH + GAP;
    this.#put(value, style, { x: left, y: top, width: valueWidth, ...this.#tagged(item, "LBody") });
    item?.end();
    // A value that continued on the next page ends above its start.
    document.y = document.y < top ? document.y : Math.max(document.y, afterLabel);
    document.moveDown(0.25);
  }

  paragraph(text: string, style: Style = {}): void {
    this.#keepTogether(this.#heightOf(text, style, this.#width));
    this.#write(text, style.face === "mono" ? "Code" : "P", style);
    this.#document.moveDown(0.35);
  }

  quiet(text: string): void {
    this.paragraph(text, { color: MUTED, size: 8.5 });
  }

  space(): void {
    this.#document.moveDown(0.6);
  }

  /** Column heads for the rows that follow, repeated on every page until the next heading. */
  columns(columns: readonly PaperColumn[]): void {
    this.#columns = columns;
    if (this.#section !== null) {
      this.#table = this.#document.struct("Table");
      this.#section.add(this.#table);
    }
    this.#cells(
      columns.map(({ label }) => label),
      "TH",
    );
  }

  /** A long text wraps over lines, never over pages. */
  row(texts: readonly string[]): void {
    this.#cells(texts, "TD");
  }

  #cells(texts: readonly string[], kind: "TH" | "TD"): void {
    const style = kind === "TH" ? LABEL : CELL;
    const cut = texts.map((text) => (text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text));
    const widths = this.#widths();
    const heights = cut.map((text, at) => this.#heightOf(text, style, widths[at] ?? this.#width));
    this.#keepTogether(Math.max(...heights));
    const line = this.#table === null ? null : this.#document.struct("TR");
    if (line !== null) this.#table?.add(line);
    this.#writeCells(cut, style, (at) => ({ width: widths[at] ?? this.#width, ...this.#tagged(line, kind) }));
    line?.end();
    if (kind === "TH") this.#rule(this.#document.y - ROW_GAP / 2, "Layout");
  }

  #writeHeads(): void {
    const widths = this.#widths();
    const labels = this.#columns.map(({ label }) => label);
    this.#writeCells(labels, LABEL, (at) => ({ width: widths[at] ?? this.#width }));
  }

  #widths(): number[] {
    const shares = this.#columns.reduce((sum, { share }) => sum + share, 0);
    const width = this.#width + COLUMN_GAP;
    return this.#columns.map(({ share }) => (width * share) / shares - COLUMN_GAP);
  }

  #writeCells(
    texts: readonly string[],
    style: Style,
    placeOf: (at: number) => Pick<Place, "width" | "structParent" | "structType">,
  ): void {
    const document = this.#document;
    const top = document.y;
    let left = MARGIN;
    let bottom = top;
    for (const [at, text] of texts.entries()) {
      const place = placeOf(at);
      const align = this.#columns[at]?.isNumber === true ? "right" : "left";
      this.#put(text, style, { x: left, y: top, align, ...place });
      bottom = Math.max(bottom, document.y);
      left += place.width + COLUMN_GAP;
    }
    document.y = bottom + ROW_GAP;
  }

  /** The finished pages of a streamed document. */
  *taken(): Generator<Uint8Array> {
    for (let part: unknown = this.#document.read(); part !== null; part = this.#document.read()) {
      if (Buffer.isBuffer(part)) yield part;
    }
  }

  attach(name: string, text: string): void {
    const { printedAt: at } = this.#options;
    const file = { name, type: "application/json", creationDate: at, modifiedDate: at };
    this.#document.file(Buffer.from(text), file);
  }

  #writeFooter(page: number, pages: number | null): void {
    const document = this.#document;
    const { bottom } = document.page.margins;
    const y = document.y;
    // Below the margin a line would start a new page.
    document.page.margins.bottom = 0;
    const top = document.page.height - MARGIN - FOOTER_HEIGHT + 16;
    this.#rule(top, "Pagination");
    const style: Style = { face: "mono", size: 6.5, color: MUTED };
    this.#artifact(() =>
      this.#put(this.#options.footer(page, pages), style, { x: MARGIN, y: top + 8, width: this.#width }),
    );
    document.page.margins.bottom = bottom;
    document.y = y;
  }

  #writeFooters(): void {
    const { start, count } = this.#document.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      this.#document.switchToPage(index);
      this.#writeFooter(index - start + 1, count);
    }
  }

  end(): Promise<Buffer> {
    this.#root?.end();
    if (this.#options.isEndless !== true) this.#writeFooters();
    const whole = collected(this.#document);
    this.#document.end();
    return whole;
  }
}
