import { createTranslator, NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { SlowNote } from "@/components/layout/slow-note";
import type { ApprovalRecord } from "@/lib/approvals/queries";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { authoriseBody, AuthoriseEffect, authoriseTitle } from "./dialogs";

vi.mock("@/lib/approvals/actions", () => ({}));
vi.mock("@/lib/writes/actions", () => ({}));
vi.mock("@/lib/staff/actions", () => ({}));
vi.mock("@/components/session/use-action", () => ({}));
vi.mock("@/components/form/form-dialog", () => ({}));
vi.mock("./comments", () => ({}));

const record: ApprovalRecord = {
  row: {
    id: "a-1",
    kind: "crypto.transfer",
    headline: null,
    gist: null,
    parties: null,
    decision: null,
    owes: null,
    isRefusable: false,
    account: null,
    makerName: "Rui Prado",
    isMine: false,
    createdAt: "2026-03-02T12:00:00Z",
    expiresAt: "2026-03-03T12:00:00Z",
    state: "FAILED",
    word: "PROVIDER_REFUSED",
    moved: null,
  },
  shown: {
    headline: { as: "coins", amount: "1.5", asset: "ETH" },
    href: null,
    facts: [
      { name: "to", before: null, after: { as: "address", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" } },
    ],
  },
  deciderName: "Ana Lima",
  decidedAt: null,
  endedAt: null,
  endKnown: "answered",
  reason: null,
  code: null,
  told: null,
  answered: null,
  antifraudId: null,
  hold: null,
  comments: [],
  beside: [],
  canComment: true,
  waiting: [],
  nextToDecide: null,
  transferId: null,
  closingRef: null,
  coinsId: null,
  asOf: "2026-03-02T12:00:00Z",
};

const LANGUAGES = { en: english, "pt-BR": portuguese } as const;
type Of = { isOver: boolean; why: string | null; warnings?: ReactNode };

const shownIn = (locale: keyof typeof LANGUAGES, { warnings = null, ...of }: Of) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale={locale} messages={LANGUAGES[locale]} timeZone="America/Sao_Paulo">
      <AuthoriseEffect record={record} warnings={warnings} {...of} />
      <SlowNote of="unanswered" />
    </NextIntlClientProvider>,
  );

it("warns that an act is irreversible unless the provider rejected it", () => {
  const why = "The provider refused it (422): “Fora do horário”";
  expect(shownIn("en", { isOver: false, why: null })).toContain("can’t be undone");
  expect(shownIn("pt-BR", { isOver: false, why: null })).toContain("Não há como desfazer");
  expect(shownIn("en", { isOver: true, why })).toContain(why);
  expect(shownIn("en", { isOver: true, why })).not.toMatch(/undone|leaves wallet/);
  expect(shownIn("pt-BR", { isOver: true, why: null })).toContain(portuguese.approvals.done.FAILED);
});

it("shows the result in the title when the act had no effect", () => {
  const titleIn = (locale: keyof typeof LANGUAGES, row: Partial<ApprovalRecord["row"]>, isOver = true) => {
    const t = createTranslator({ locale, messages: LANGUAGES[locale], namespace: "approvals" });
    return t(authoriseTitle({ ...record.row, ...row }, isOver));
  };
  const { row } = record;
  expect(titleIn("pt-BR", row)).toBe("Recusada pelo provedor");
  expect(titleIn("en", row)).toBe("Refused by the provider");
  expect(titleIn("en", { word: "UNSENT" })).toBe(english.approvals.states.UNSENT);
  const unread = { state: "PENDING", word: "PENDING" } as const;
  expect(titleIn("en", unread)).toBe(english.approvals.states.FAILED);
  expect(titleIn("en", unread, false)).toBe(english.approvals.authoriseTitle);
});

it("says after some seconds that no answer came, and where the result will show", () => {
  const markup = shownIn("en", { isOver: false, why: null });
  expect(markup).toContain("No valid answer from the provider yet");
  expect(markup).toContain(english.outcomes.title);
  expect(markup).toMatch(/<output class="late /);
  expect(shownIn("pt-BR", { isOver: false, why: null })).toContain(portuguese.outcomes.title);
});

it("begins with the page's warnings, until it had no effect", () => {
  const warnings = <p>warned</p>;
  const markup = shownIn("en", { isOver: false, why: null, warnings });
  expect(markup).toMatch(/^<div aria-live="polite"[^>]*><p>warned<\/p><\/div>/);
  expect(markup.indexOf("warned")).toBeLessThan(markup.indexOf("can’t be undone"));
  expect(shownIn("en", { isOver: true, why: null, warnings })).not.toContain("warned");
});

it("promises that it is sent at once only while the provider answers", () => {
  const since = "2026-03-02T12:00:00Z";
  expect(authoriseBody({ kind: "transfer.external", moved: null }, null)).toBe("authoriseBody");
  expect(authoriseBody({ kind: "transfer.external", moved: null }, since)).toBe("authoriseUnanswered");
  expect(authoriseBody({ kind: "account.close", moved: null }, since)).toBe("authoriseReadyBody");
  expect(authoriseBody({ kind: "outcome.end", moved: null }, null)).toBe("authoriseAccessBody");
  const moved = { from: "APPROVED", to: "PENDING", at: since };
  expect(authoriseBody({ kind: "kyc.decision", moved }, null)).toBe("authoriseMoved");
});
