import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { parse } from "node-html-parser";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { RateDialog } from "./rate-dialog";

vi.mock("@/components/session/use-action", () => ({
  useAction: () => ({ pending: false, failure: null, run: vi.fn<() => void>() }),
}));
vi.mock("@/components/form/form-dialog", () => ({
  FormDialog: ({ children }: { children: ReactNode }) => <form>{children}</form>,
}));
vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams() }));

it("offers the day whose position is shown", () => {
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <RateDialog
        asset={{ network: "ETHEREUM", asset: "ETH", token: "" }}
        day="2026-07-01"
        onClose={() => undefined}
        onDone={() => undefined}
      />
    </NextIntlClientProvider>,
  );
  expect(parse(html).querySelector("input[name=day]")?.getAttribute("value")).toBe("01/07/2026");
});
