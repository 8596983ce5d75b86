import type { KeyObject } from "node:crypto";
import type { getTranslations } from "next-intl/server";
import { Contents } from "./contents";
import { DossierFile } from "./file";
import { writeHistory } from "./pdf-history";
import { Paper } from "./pdf-page";
import { signPages } from "./pdf-seal";
import { writeSummary } from "./pdf-summary";
import { type Reader, wordsIn } from "./pdf-words";

export type Printing = {
  /** The file as it was sealed. */
  text: string;
  say: Awaited<ReturnType<typeof getTranslations<"dossiers">>>;
  locale: Reader["locale"];
  printedAt: Date;
  key: KeyObject;
};

/** The name of the file to whoever downloads it: the case, and nothing of a person. */
export const fileNameOf = (object: string, ending: "json" | "pdf"): string =>
  `dossier-${object.replaceAll(/[^A-Za-z0-9-]+/g, "-")}.${ending}`;

/**
 * A dossier as a PDF in the reader's language: tagged, with its fonts, the file itself attached to it, and signed as a whole.
 * What is evidence stands in it as it was.
 */
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
