import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import type { SlowWord } from "@/components/layout/slow-note";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { FormDialog } from "./form-dialog";

vi.mock("@/components/ui/dialog", () => ({ Dialog: ({ children }: { children: ReactNode }) => <div>{children}</div> }));
vi.mock("@/components/session/scope", () => ({ useUnsaved: () => undefined }));

const WORDS = { en: english, "pt-BR": portuguese };

type Shown = { slow?: SlowWord; pending?: boolean; locale?: keyof typeof WORDS };

const noteIn = ({ slow, pending = true, locale = "en" }: Shown) =>
  parse(
    renderToStaticMarkup(
      <NextIntlClientProvider locale={locale} messages={WORDS[locale]} timeZone="America/Sao_Paulo">
        <FormDialog
          title="Decide"
          description=""
          submitLabel="Approve"
          slow={slow}
          pending={pending}
          error={null}
          isWritten={false}
          onSubmit={() => undefined}
          onClose={() => undefined}
        >
          {null}
        </FormDialog>
      </NextIntlClientProvider>,
    ),
  ).querySelector("output.late");

it("says beside the button that the provider takes long, and what is not known yet", () => {
  expect(noteIn({ slow: "undecided" })?.text).toContain("taking longer than usual. No decision is confirmed yet.");
  expect(noteIn({ slow: "undecided", locale: "pt-BR" })?.text).toContain("Nenhuma decisão foi confirmada até agora.");
  expect(noteIn({ slow: "unanswered" })?.text).toBe(english.common.unanswered);
});

it("says nothing of the provider before sending, or where it is not asked", () => {
  expect(noteIn({ slow: "undecided", pending: false })).toBeNull();
  expect(noteIn({})).toBeNull();
});
