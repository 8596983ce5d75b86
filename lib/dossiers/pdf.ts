import type { KeyObject } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font, type FontCollection } from "fontkit";
import type { getTranslations } from "next-intl/server";
import Pdf from "pdfkit";
import { formatDate, formatTime, type Locale } from "@/lib/text/format";
import { namingHidden } from "@/lib/text/safe-link";
import { providerWord } from "@/lib/text/typed";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { Contents } from "./contents";
import { DossierFile } from "./file";
import { signPages } from "./verify";

const FOLDER = "node_modules/dejavu-fonts-ttf/ttf";
const FILES = { body: "DejaVuSansCondensed", bold: "DejaVuSansCondensed-Bold", mono: "DejaVuSansMono" } as const;

type Face = keyof typeof FILES;
type FaceKit = { file: Buffer; print: (text: string) => string };
type Fonts = Record<Face, FaceKit>;

const isFont = (made: Font | FontCollection): made is Font => "hasGlyphForCodePoint" in made;

const codePointName = (sign: string) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** What the face cannot print shows as its code point, never as an empty box. */
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

type Say = Printing["say"];
type Person = { name: string; id: string };

type Reader = {
  locale: Locale;
  say: Say;
  kinds: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
};

const WORDS = { "pt-BR": portuguese.dossiers, en: english.dossiers } as const satisfies Record<Locale, object>;

/** The names are data: another version may have written one without words here. */
const wordsIn = (locale: Locale): Pick<Reader, "kinds" | "fields"> => {
  const { kinds, fields } = WORDS[locale];
  return { kinds, fields };
};

const timeFor = ({ locale }: Reader, iso: string): string => `${formatDate(iso, locale)} ${formatTime(iso, locale)}`;

const orNone = ({ say }: Reader, text: string | null): string =>
  text === null || text === "" ? say("pdf.none") : text;

const timeOrNone = (reader: Reader, iso: string | null): string =>
  iso === null ? reader.say("pdf.none") : timeFor(reader, iso);

const nameOf = ({ name, id }: Person): string => (name === "" ? id : name);

export const listed = (fields: Readonly<Record<string, string | number | boolean | null>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${providerWord(String(value))}`)
    .join(" · ");

const MONO = { face: "mono", size: 7.5 } as const;

type Writing = { paper: Paper; reader: Reader };

function section<Entry>(
  { paper, reader }: Writing,
  title: string,
  [entries, write]: [readonly Entry[], (entry: Entry) => void],
) {
  paper.heading(title);
  if (entries.length === 0) paper.paragraph(reader.say("pdf.none"));
  for (const entry of entries) write(entry);
}

function writeProvider(writing: Writing, { provider }: Contents): void {
  const { paper, reader } = writing;
  const { say } = reader;
  section(writing, say("pdf.provider"), [
    provider,
    ({ operation, requestId, askedAt, text, sha256 }) => {
      paper.fact(say("pdf.operation"), operation, MONO);
      paper.fact(say("pdf.askedAt"), timeFor(reader, askedAt));
      paper.fact(say("pdf.requestId"), requestId, MONO);
      paper.fact("SHA-256", sha256, MONO);
      paper.fact(say("pdf.answer"), text, MONO);
    },
  ]);
}

function writeNotes(writing: Writing, { notes, files }: Contents): void {
  const { paper, reader } = writing;
  const { say } = reader;
  section(writing, say("pdf.notes"), [
    notes,
    ({ by, at, text }) => paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, text ?? say("pdf.retracted")),
  ]);
  section(writing, say("pdf.files"), [
    files,
    ({ name, mediaType, sizeBytes, sha256, by, at, removedAt }) => {
      const removed = removedAt === null ? "" : `\n${say("pdf.removed", { time: timeFor(reader, removedAt) })}`;
      paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, `${name}\n${mediaType} · ${sizeBytes} B${removed}`);
      paper.fact("SHA-256", sha256, MONO);
    },
  ]);
}

function writeReveals(writing: Writing, { reveals }: Contents): void {
  const { paper, reader } = writing;
  section(writing, reader.say("pdf.reveals"), [
    reveals,
    ({ by, at, reason, note }) => paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, `${reason}: ${note}`),
  ]);
}

function writeHistory(paper: Paper, contents: Contents, reader: Reader): void {
  const { say, kinds } = reader;
  const writing = { paper, reader };
  writeProvider(writing, contents);
  section(writing, say("pdf.related"), [
    contents.related,
    ({ kind, id, document, status, basis, since }) => {
      const known = [
        status === null ? null : providerWord(status),
        since === null ? null : timeFor(reader, since),
        say(`pdf.basis.${basis}`),
      ];
      const standing = known.filter((one) => one !== null).join(" · ");
      paper.fact(say(`pdf.records.${kind}`), `${document}\n${id}\n${standing}`);
    },
  ]);
  section(writing, say("pdf.timeline"), [
    contents.timeline,
    ({ at, kind, by, detail }) => {
      const lines = [kinds[kind] ?? kind, by === null ? null : nameOf(by), listed(detail)];
      paper.fact(timeFor(reader, at), lines.filter((line) => line !== null && line !== "").join("\n"));
    },
  ]);
  section(writing, say("pdf.earlier"), [
    contents.earlierDecisions,
    ({ decision, reason, note, by, at, state }) => {
      const lines = [`${decision} · ${state}`, reason, note === null ? null : `${say("pdf.note")}: ${note}`];
      paper.fact(`${timeFor(reader, at)}\n${nameOf(by)}`, lines.filter((line) => line !== null).join("\n"));
    },
  ]);
  writeNotes(writing, contents);
  writeReveals(writing, contents);
}

const MARGIN = 54;
const FOOTER_HEIGHT = 46;
const LABEL_WIDTH = 132;
const GAP = 12;
const LINE_GAP = 2;

const INK = "#16181d";
const MUTED = "#5d6470";
const LINE = "#d5d9e0";

const LABEL: Style = { size: 8.5, color: MUTED };

type Structure = PDFKit.PDFStructureElement;
type Style = { face?: Face; size?: number; color?: string };

type PaperOptions = {
  title: string;
  language: string;
  printedAt: Date;
  footer: (page: number, pages: number) => string;
};

function newDocument({ title, language, printedAt }: PaperOptions): PDFKit.PDFDocument {
  return new Pdf({
    size: "A4",
    margins: { top: MARGIN, bottom: MARGIN + FOOTER_HEIGHT, left: MARGIN, right: MARGIN },
    pdfVersion: "1.7",
    tagged: true,
    lang: language,
    displayTitle: true,
    bufferPages: true,
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

/** Tagged, top to bottom; how it looks is decided here alone. */
class Paper {
  readonly #document: PDFKit.PDFDocument;
  readonly #options: PaperOptions;
  readonly #fonts: Fonts;
  readonly #whole: Promise<Buffer>;
  readonly #root: Structure;
  #section: Structure;
  #list: Structure | null = null;

  private constructor(options: PaperOptions, faces: Fonts) {
    this.#options = options;
    this.#fonts = faces;
    this.#document = newDocument(options);
    this.#whole = collected(this.#document);
    for (const face of ["body", "bold", "mono"] as const) this.#document.registerFont(face, faces[face].file);
    this.#root = this.#document.struct("Document");
    this.#document.addStructure(this.#root);
    this.#section = this.#root;
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
    return this.#document.heightOfString(this.#styled(text, style), { width, lineGap: LINE_GAP });
  }

  /** What fills more than a page begins where it is. */
  #keepTogether(height: number): void {
    const { page, y } = this.#document;
    const bottom = page.height - page.margins.bottom;
    if (y + height > bottom && height < bottom - MARGIN) this.#document.addPage();
  }

  #write(text: string, structType: string, style: Style): void {
    this.#list = null;
    const printable = this.#styled(text, style);
    const place = { width: this.#width, lineGap: LINE_GAP, structParent: this.#section, structType };
    this.#document.text(printable, MARGIN, this.#document.y, place);
  }

  /** Not read out. */
  #rule(y: number, type: "Layout" | "Pagination"): void {
    this.#document.markContent("Artifact", { type });
    this.#document
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + this.#width, y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.#document.endMarkedContent();
  }

  title(text: string, below: string): void {
    this.#write(text, "H1", { face: "bold", size: 19 });
    this.#document.moveDown(0.2);
    this.#write(below, "P", { size: 10.5, color: MUTED });
  }

  heading(text: string): void {
    this.#document.moveDown(1.1);
    this.#keepTogether(76);
    this.#section = this.#document.struct("Sect", { title: text });
    this.#root.add(this.#section);
    this.#rule(this.#document.y, "Layout");
    this.#document.y += 9;
    this.#write(text, "H2", { face: "bold", size: 11.5 });
    this.#document.moveDown(0.45);
  }

  #listItem(): Structure {
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
    const [top, common] = [document.y, { lineGap: LINE_GAP, structParent: item }];
    const label = { ...common, width: LABEL_WIDTH, structType: "Lbl" };
    document.text(this.#styled(name, LABEL), MARGIN, top + 0.8, label);
    const afterLabel = document.y;
    const body = { ...common, width: valueWidth, structType: "LBody" };
    document.text(this.#styled(value, style), MARGIN + LABEL_WIDTH + GAP, top, body);
    item.end();
    // A value that went over to the next page ends above where it began.
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

  attach(name: string, text: string): void {
    const { printedAt: at } = this.#options;
    const file = { name, type: "application/json", creationDate: at, modifiedDate: at };
    this.#document.file(Buffer.from(text), file);
  }

  #writeFooters(): void {
    const document = this.#document;
    const { start, count } = document.bufferedPageRange();
    for (let index = start; index < start + count; index += 1) {
      document.switchToPage(index);
      // Below the margin a line would begin a page of its own.
      document.page.margins.bottom = 0;
      const top = document.page.height - MARGIN - FOOTER_HEIGHT + 16;
      this.#rule(top, "Pagination");
      document.markContent("Artifact", { type: "Pagination" });
      const text = this.#styled(this.#options.footer(index - start + 1, count), {
        face: "mono",
        size: 6.5,
        color: MUTED,
      });
      document.text(text, MARGIN, top + 8, { width: this.#width, lineGap: LINE_GAP });
      document.endMarkedContent();
    }
  }

  end(): Promise<Buffer> {
    this.#root.end();
    this.#writeFooters();
    this.#document.end();
    return this.#whole;
  }
}

const SUMMARY_MONO = { face: "mono", size: 8 } as const;

function writeOutcome(paper: Paper, { outcome, people, approval, frozenAt }: Contents, reader: Reader): void {
  const { say } = reader;
  for (const { part, name, roles, id } of people) {
    const held = roles.length === 0 ? "" : ` (${roles.join(", ")})`;
    paper.fact(say(`pdf.parts.${part}`), `${name}${held}\n${id}`);
  }
  if (approval !== null) {
    paper.fact(say("pdf.proposedAt"), timeFor(reader, approval.proposedAt));
    paper.fact(say("pdf.authorisedAt"), timeOrNone(reader, approval.authorisedAt));
  }
  paper.fact(say("pdf.decidedAt"), timeFor(reader, frozenAt));
  paper.fact(say("pdf.outcome"), say(`pdf.outcomes.${outcome.state}`));
  if (outcome.status !== null) paper.fact(say("pdf.httpStatus"), `${outcome.status} ${outcome.code ?? ""}`.trim());
  else if (outcome.code !== null) paper.fact(say("pdf.code"), outcome.code);
  paper.fact(say("pdf.sentAt"), timeOrNone(reader, outcome.firstSentAt));
  paper.fact(say("pdf.finishedAt"), timeOrNone(reader, outcome.finishedAt));
  paper.fact(say("pdf.requestId"), orNone(reader, outcome.requestId), SUMMARY_MONO);
  paper.fact(say("pdf.answerHash"), orNone(reader, outcome.answerSha256), SUMMARY_MONO);
  paper.fact(say("pdf.sealedAt"), timeFor(reader, outcome.sealedAt));
}

function writeReasons(paper: Paper, { decision, rules }: Contents, reader: Reader): void {
  const { say } = reader;
  paper.heading(say("pdf.reason"));
  paper.paragraph(decision.reason);
  paper.quiet(say("pdf.reasonSent", { code: decision.reasonCode ?? say("pdf.none") }));
  paper.heading(say("pdf.note"));
  paper.paragraph(orNone(reader, decision.note));
  paper.heading(say("pdf.checklist"));
  if (decision.checklist.length === 0) paper.paragraph(say("pdf.none"));
  for (const { text, isChecked } of decision.checklist) {
    paper.fact(say(isChecked ? "pdf.checked" : "pdf.unchecked"), text);
  }
  paper.quiet(say("pdf.rules", { version: rules.version, pf: rules.slaHours.PF, pj: rules.slaHours.PJ }));
}

function writeCase(paper: Paper, { case: shown, decision, about }: Contents, reader: Reader): void {
  const { say } = reader;
  paper.heading(say("pdf.case"));
  paper.fact("kycUUID", about.object.replace(/^[a-z]+:/, ""), SUMMARY_MONO);
  if (shown === null) return;
  paper.fact(say("pdf.document"), shown.document);
  paper.fact("kycType", providerWord(shown.kycType));
  paper.fact("status", providerWord(shown.status));
  paper.fact("process", providerWord(shown.process));
  paper.fact(say("pdf.expected"), listed(decision.expected));
  paper.fact(say("pdf.asOf"), timeFor(reader, shown.seenAt));
  paper.fact(say("pdf.firstSeen"), timeFor(reader, shown.firstSeenAt));
  paper.fact(say("pdf.changed"), timeFor(reader, shown.changedAt));
  paper.fact(say("pdf.due"), timeOrNone(reader, shown.dueAt));
  paper.fact(say("pdf.assignee"), shown.assignee === null ? say("pdf.none") : nameOf(shown.assignee));
  paper.fact(say("pdf.tags"), orNone(reader, shown.tags.join(", ")));
  paper.fact("webviewUrl", orNone(reader, shown.webviewUrl), SUMMARY_MONO);
}

function inOrderOf<Value>(order: Reader["fields"], given: Readonly<Record<string, Value>>): [string, Value][] {
  const names = Object.keys(order);
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(given).toSorted(([one], [other]) => placeOf(one) - placeOf(other));
}

function writeSubject(paper: Paper, { subject }: Contents, reader: Reader): void {
  const { say, fields } = reader;
  paper.heading(say("pdf.subject"));
  if (subject === null) {
    paper.paragraph(say("pdf.noSubject"));
    return;
  }
  const line = (name: string, value: string | number | boolean | null) =>
    paper.fact(fields[name] ?? name, value === null ? say("pdf.none") : String(value));
  for (const [name, value] of inOrderOf(fields, subject.form)) line(name, value);
  if (subject.startedBy !== null) line("startedBy", nameOf(subject.startedBy));
  line("startedAt", timeOrNone(reader, subject.startedAt));
  for (const [index, member] of subject.members.entries()) {
    paper.space();
    paper.quiet(say("pdf.member", { number: index + 1 }));
    for (const [name, value] of inOrderOf(fields, member)) line(name, value);
  }
}

function writeSummary(paper: Paper, contents: Contents, reader: Reader): void {
  const { say } = reader;
  const { about, decision } = contents;
  const environment = `${about.tenantName} · ${about.environment}`;
  paper.title(say("pdf.title"), `${say(`pdf.decisions.${decision.decision}`)} · ${environment}`);
  paper.heading(say("pdf.decision"));
  paper.fact(say("pdf.decision"), say(`pdf.decisions.${decision.decision}`), { face: "bold" });
  writeOutcome(paper, contents, reader);
  paper.fact(say("pdf.dossierId"), about.dossierId, SUMMARY_MONO);
  paper.fact(say("pdf.intentId"), decision.intentId, SUMMARY_MONO);
  writeReasons(paper, contents, reader);
  writeCase(paper, contents, reader);
  writeSubject(paper, contents, reader);
}

type Printing = {
  text: string;
  say: Awaited<ReturnType<typeof getTranslations<"dossiers">>>;
  locale: Reader["locale"];
  printedAt: Date;
  key: KeyObject;
};

/** Names the case, and nothing of a person. */
export const fileNameOf = (object: string, ending: "json" | "pdf"): string =>
  `dossier-${object.replaceAll(/[^A-Za-z0-9-]+/g, "-")}.${ending}`;

/** Tagged and signed, with its fonts and the file itself attached. */
export async function printDossier({ text, say, locale, printedAt, key }: Printing): Promise<Buffer> {
  const { contents: sections, seal } = DossierFile.parse(JSON.parse(text));
  const contents = Contents.parse(sections);
  const { object } = contents.about;
  const reader = { locale, say, ...wordsIn(locale) };
  const kycUUID = object.replace(/^[a-z]+:/, "");
  const paper = await Paper.open({
    title: say("pdf.title"),
    language: locale,
    printedAt,
    footer: (page, pages) =>
      `${say("pdf.footer", { id: kycUUID, page, pages })}\n${say("pdf.footerHash", { hash: seal.sha256 })}`,
  });
  writeSummary(paper, contents, reader);
  writeHistory(paper, contents, reader);
  paper.heading(say("pdf.seal"));
  paper.fact(say("pdf.hash"), seal.sha256, { face: "mono", size: 8 });
  paper.fact(say("pdf.publicKey"), seal.publicKey, { face: "mono", size: 8 });
  paper.fact(say("pdf.signature"), seal.signature, { face: "mono", size: 8 });
  paper.paragraph(say("pdf.howToVerify"));
  paper.attach(fileNameOf(object, "json"), text);
  return signPages(await paper.end(), key);
}
