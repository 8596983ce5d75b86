import { getLocale, getTranslations } from "next-intl/server";
import type { Actor } from "@/lib/permission/grant";
import { Paper } from "@/lib/pdf/document";
import { letterheadOf } from "@/lib/pdf/letterhead";
import { formatDate, formatTime } from "@/lib/text/format";
import { readPaperFacts } from "./records";
import type { AccountRow } from "./standing";

type Printing = { row: AccountRow; mask: string; isNamed: boolean };

/** `isNamed`: the holder and PIX keys in clear; the document is always masked. */
export async function printLetter(actor: Actor, { row, mask, isNamed }: Printing): Promise<Buffer> {
  const [facts, letterhead, say, standings, locale] = await Promise.all([
    readPaperFacts(actor, row, isNamed),
    letterheadOf(row.tenant),
    getTranslations("accountLetter"),
    getTranslations("standings"),
    getLocale(),
  ]);
  const { holder, word, standing, pixKeys, asOf } = facts;
  const told = { day: formatDate(asOf, locale), time: formatTime(asOf, locale) };
  const title = say("title");
  const paper = await Paper.open({
    title,
    language: locale,
    printedAt: new Date(asOf),
    footer: (page, pages) => say("footer", { page, pages: pages ?? page }),
  });
  paper.letterhead(letterhead);
  paper.title(title, say("asOf", told));
  paper.space();
  paper.fact(say("holder"), holder ?? say("untold"));
  paper.fact(say("document"), mask);
  paper.fact(say("branch"), row.branch);
  paper.fact(say("account"), row.number);
  if (word !== "") paper.fact(say("status"), standing === "UNKNOWN" ? word : standings(standing));
  for (const key of isNamed ? pixKeys : []) paper.fact(say("pixKey"), key);
  if (!isNamed && pixKeys.length > 0) paper.fact(say("pixKeys"), say("pixHidden", { count: pixKeys.length }));
  paper.space();
  paper.quiet(say("source", told));
  return paper.end();
}
