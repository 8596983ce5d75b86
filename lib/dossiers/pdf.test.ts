import { createPublicKey } from "node:crypto";
import * as fc from "fast-check";
import { createTranslator } from "next-intl";
import { beforeAll, describe, expect, it } from "vitest";
import { fonts } from "@/lib/pdf/document";
import type { Locale } from "@/lib/text/format";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { type Contents, Sections } from "./contents";
import { sealFile } from "./file";
import { fileNameOf, printCase } from "./pdf";
import { attachedTo, readSignedPages, signPages, verifyDossier } from "./verify";
import { CONTENTS, OTHER_KEY, OUR_KEY } from "@/test/support/dossiers";
import { textsOf } from "@/test/support/pdf";

const KNOWN = [createPublicKey(OUR_KEY)];
const MESSAGES = { "pt-BR": portuguese, en: english };
const printedAt = new Date("2026-11-21T12:00:00.000Z");

function print(locale: Locale, contents: Contents = CONTENTS): Promise<Buffer> {
  const { text } = sealFile(Sections.parse(contents), OUR_KEY);
  const say = createTranslator({ locale, messages: MESSAGES[locale], namespace: "dossiers" });
  return printCase({ text, say, locale, printedAt, key: OUR_KEY });
}

let pdf: Buffer;
beforeAll(async () => {
  pdf = await print("pt-BR");
});

describe("a dossier as PDF", () => {
  it.each(["pt-BR", "en"] as const)("validates as %s, pages and attachments included", async (locale) => {
    expect(verifyDossier(await print(locale), KNOWN)).toMatchObject({ kind: "valid" });
  });

  it("embeds the sealed file byte for byte", async () => {
    const { text } = sealFile(Sections.parse(CONTENTS), OUR_KEY);
    expect(attachedTo(pdf)?.toString()).toBe(text);
  });

  it("tags language and structure for screen readers, and embeds its fonts", () => {
    const text = pdf.toString("latin1");
    expect(text).toContain("/Lang (pt-BR)");
    expect(text).toContain("/Marked true");
    for (const part of ["/H1", "/H2", "/L", "/LI", "/Lbl", "/LBody"]) expect(text).toContain(`/S ${part}`);
    expect(text.match(/\/FontFile2/g)).toHaveLength(3);
    expect(text).not.toContain("/Helvetica");
  });

  it("reports a dossier as altered when any byte of its PDF differs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(pdf.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(pdf);
        changed.writeUInt8((changed.readUInt8(at) ^ change) & 0xff, at);
        expect(verifyDossier(changed, KNOWN).kind).not.toBe("valid");
      }),
      { numRuns: 200 },
    );
  });

  it("reports a PDF with another dossier's pages or without a seal as altered", async () => {
    const pages = readSignedPages(pdf)?.pages ?? Buffer.alloc(0);
    expect(verifyDossier(pages, KNOWN)).toEqual({ kind: "altered", what: "pages", sections: [] });
    expect(verifyDossier(signPages(pages, OTHER_KEY), KNOWN)).toMatchObject({ kind: "unknown-key" });
    expect(verifyDossier(pdf.subarray(0, 2_000), KNOWN).kind).toBe("altered");
  });

  it("prints a hundred notes and a raw answer longer than a page", async () => {
    const [note] = CONTENTS.notes;
    const [answer] = CONTENTS.provider;
    if (note === undefined || answer === undefined) throw new Error("the sample has neither");
    const long = {
      ...CONTENTS,
      notes: Array.from({ length: 100 }, (_, at) => ({ ...note, id: `n-${at}`, text: "palavra ".repeat(80) })),
      provider: [{ ...answer, text: `{"x":"${"abcde ".repeat(3_000)}"}` }],
    };
    const printed = await print("en", long);
    expect(verifyDossier(printed, KNOWN)).toMatchObject({ kind: "valid" });
    expect((printed.toString("latin1").match(/\/Type \/Page\b/g) ?? []).length).toBeGreaterThan(10);
  });

  it("names the file after its case, and after no person", () => {
    expect(fileNameOf("kyc:8d0b-df0", "pdf")).toBe("dossier-kyc-8d0b-df0.pdf");
    expect(fileNameOf('kyc:../"x', "json")).toBe("dossier-kyc-x.json");
  });
});

describe("a case as PDF", () => {
  it.each([
    ["pt-BR", "Aberto; como conhecido em 20/11/2026", "Voltou em"],
    ["en", "Open; as known on 20 Nov 2026", "Came back at"],
  ] as const)("says in %s that it is open, and is no dossier", async (locale, known, mark) => {
    const say = createTranslator({ locale, messages: MESSAGES[locale], namespace: "dossiers" });
    const { case: shown, earlierDecisions: decisions, ...rest } = CONTENTS;
    if (shown === null) throw new Error("the sample has no case");
    const standing = {
      ...rest,
      case: shown,
      decisions,
      isOpen: true,
      records: [{ process: "kyc-backgroundcheck", status: "APPROVED" }],
      marks: [{ name: "reopened", by: null, at: shown.seenAt } as const],
    };
    const printed = await printCase({ standing, say, locale, printedAt });
    const text = textsOf(printed).join(" ");
    for (const part of [known, mark, "kyc-backgroundcheck", "***.456.789-**", "0f".repeat(32)])
      expect(text).toContain(part);
    expect(attachedTo(printed)).toBeNull();
    expect(verifyDossier(printed, KNOWN).kind).not.toBe("valid");
  });
});

describe("the fonts", () => {
  it("prints European and Middle Eastern names, and other scripts as code points", async () => {
    const { print: printed } = (await fonts()).body;
    for (const name of ["José da Conceição", "Łukasz Nguyễn", "Ångström", "Иван Жуков", "Γιώργος", "محمد", "משה"]) {
      expect(printed(name)).toBe(name.normalize("NFC"));
    }
    expect(printed("山田")).toBe("[U+5C71][U+7530]");
  });

  it("names invisible characters", async () => {
    const { print: printed } = (await fonts()).body;
    expect(printed("aprovado\u202Eodavorper")).toBe("aprovado[U+202E]odavorper");
  });
});
