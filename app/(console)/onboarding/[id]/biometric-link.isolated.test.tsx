import { NextIntlClientProvider } from "next-intl";
import { parse } from "node-html-parser";
import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";
import { BiometricLink } from "./biometric-link";

vi.mock("@/components/links/link-actions", () => ({ LinkActions: () => null, LinkUses: () => null }));

type Shown = ComponentProps<typeof BiometricLink>["record"];

const message = {
  id: "onboarding-biometrics",
  date: "2026-11-29T15:48:00.000Z",
  message: "Confirm your face",
  status: "biometrics-pending",
  actionRequired: true,
  url: null,
  isOfLink: true,
};

function shown(messages: Shown["messages"]): string {
  const links = [
    { id: "l", host: "example.com", appearedAt: "2026-11-29T22:15:00.000Z", goneAt: null, isNew: false, uses: [] },
  ];
  const biometric = { host: "example.com", isSafe: true };
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <BiometricLink record={{ row: { id: "o", document: "***", biometric }, links, messages }} denial={null} />
    </NextIntlClientProvider>,
  );
  return parse(html).text;
}

it("says since when the link is there by the provider's message", () => {
  expect(shown([message])).toContain("Since 29 Nov 2026 12:48, as the provider’s message says");
});

it("says when the link was seen here where no message tells a time", () => {
  expect(shown([])).toContain("Seen here since 29 Nov 2026 19:15");
  expect(shown([{ ...message, date: "soon" }])).toContain("Seen here since 29 Nov 2026 19:15");
});
