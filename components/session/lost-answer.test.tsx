import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FailureNotice } from "@/components/layout/failure-text";
import english from "@/messages/en.json";
import { lostAnswer } from "./lost-answer";

const shown = (error: unknown) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <FailureNotice failure={lostAnswer(error, (key) => english.states[key])} />
    </NextIntlClientProvider>,
  );

it("says that an unknown server action was not sent, and offers a reload", () => {
  const error = new UnrecognizedActionError("Server Action was not found on the server.");
  expect(lostAnswer(error, (key) => key)).toEqual({ kind: "unavailable", code: "new-version", message: "newVersion" });
  expect(shown(error)).toContain(english.states.newVersion);
  expect(shown(error)).toContain(`${english.scope.reload}</button>`);
});

it("says that an unanswered action may have taken effect, and offers no reload", () => {
  const lost = lostAnswer(new TypeError("Failed to fetch"), (key) => key);
  expect(lost).toEqual({ kind: "unavailable", isUnanswered: true, message: "connectionLost" });
  expect(shown(new TypeError("Failed to fetch"))).not.toContain("<button");
});
