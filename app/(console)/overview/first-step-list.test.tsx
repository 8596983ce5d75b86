import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { FirstSteps } from "@/lib/first-steps/view";
import english from "@/messages/en.json";
import { FirstStepList } from "./first-step-list";

const NEW: FirstSteps = {
  done: { provider: false, team: false, approver: false, policy: false, webhook: false, account: false },
  lastStatus: null,
  invited: 0,
  ownAddress: "https://desk.example/api/hooks/aurora",
};

const shown = (steps: Partial<FirstSteps> = {}) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FirstStepList steps={{ ...NEW, ...steps }} tenant="Aurora" />
    </NextIntlClientProvider>,
  );

it("names what to check while the provider is silent or refuses the credentials", () => {
  expect(shown()).toContain("No answer yet. Check BANK_BASE_URL");
  expect(shown({ lastStatus: 401 })).toContain("The provider answered with 401. Check BANK_CLIENT_ID");
});

it("counts what is done, and shows the webhook address until an event arrives", () => {
  const done = { ...NEW.done, provider: true, webhook: true };
  expect(shown()).toContain("https://desk.example/api/hooks/aurora");
  const html = shown({ done, invited: 2 });
  expect(html).toContain("2 of 6 done");
  expect(html).toContain("2 invitations haven’t been accepted yet.");
  expect(html).not.toContain("https://desk.example");
});
