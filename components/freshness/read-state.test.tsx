import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors/app-error";
import { failureIn, REFUSALS, SILENT } from "@/lib/errors/result";
import { countKnown, type Fresh, type Trouble, troubleOf } from "@/lib/text/page";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { FailedView } from "@/components/layout/failed-view";
import { ReadAt } from "./freshness";
import { ReadRows } from "./read-state";
import { StaleNotice } from "./stale-notice";

const languages = [
  { locale: "en", messages: english, since: "22 Nov 2026 11:03" },
  { locale: "pt-BR", messages: portuguese, since: "22/11/2026 11:03" },
] as const;
const since = "2026-11-22T14:03:00Z";
const asOf = "2026-11-22T13:00:00Z";
const read: Fresh = { asOf, isStale: false, failure: null };
const unread: Fresh = { asOf: null, isStale: false, failure: null };
const refusedBy = (code: string): Fresh["failure"] => ({ kind: "restricted", code, since });

describe.each(languages)("a list in $locale", ({ locale, messages, since: sinceThen }) => {
  const inWords = (node: ReactNode) =>
    renderToStaticMarkup(
      <NextIntlClientProvider locale={locale} messages={messages} timeZone="America/Sao_Paulo">
        {node}
      </NextIntlClientProvider>,
    );
  const shown = (fresh: Fresh, has: "rows" | "nothing", trouble: Trouble | null = troubleOf(fresh)) =>
    inWords(
      <ReadRows fresh={fresh} trouble={trouble} icon="shield-check" empty={has === "nothing" ? "All is clear" : null}>
        The rows
      </ReadRows>,
    );

  const failed = (details: { code: string; since?: string }) =>
    inWords(<FailedView error={new AppError("restricted", { requestId: "req-1", ...details })} retry={() => {}} />);

  it("calls a list empty only after reading it", () => {
    expect(shown(read, "nothing")).toBe("All is clear");
    expect(shown(unread, "nothing")).not.toContain("All is clear");
    expect(shown(unread, "nothing")).toContain(messages.common.neverUpdated);
  });

  it("calls a list unread only before any of it was read", () => {
    expect(inWords(<ReadAt asOf={null} />)).toContain(messages.common.neverUpdated);
    expect(inWords(<ReadAt wasTried asOf={null} />)).toContain(messages.common.neverWhole);
    const partly = { ...unread, isStale: true, failure: refusedBy("restricted") };
    expect(shown(partly, "rows")).toContain(messages.states.notWhole);
    expect(shown(partly, "rows")).not.toContain(messages.common.neverUpdated);
  });

  it("shows no error during a list's first read", () => {
    expect(shown(unread, "nothing")).not.toContain(messages.states.staleBody);
    expect(shown(unread, "rows")).toBe("The rows");
  });

  it.each(REFUSALS)("says who is responsible when %s prevents a read, and since when", (code) => {
    const refused = { ...unread, isStale: true, failure: refusedBy(code) };
    const { title, body } = messages.refusals[code];
    expect(shown(refused, "nothing")).toContain(title);
    expect(shown(refused, "nothing")).toContain(body);
    expect(shown(refused, "nothing")).toContain(sinceThen);
    expect(shown(refused, "nothing")).not.toContain("All is clear");
    const before = shown({ ...refused, asOf }, "rows");
    expect(before).toContain("The rows");
    expect(before).toContain(body);
    expect(before).toContain(sinceThen);
    expect(shown({ ...refused, asOf }, "nothing")).toContain("10:00");
  });

  it.each(REFUSALS)("explains %s and since when for a list read on demand", (code) => {
    expect(failed({ code, since })).toContain(messages.refusals[code].body);
    expect(failed({ code, since })).toContain(sinceThen);
    expect(failed({ code, since })).toContain("req-1");
    expect(failed({ code })).toContain(messages.refusals[code].body);
    expect(failed({ code })).not.toContain(sinceThen);
  });

  it("explains a refused refresh beside the rows", () => {
    const { digest } = new AppError("restricted", { code: "ACCOUNT_RESTRICTED", since });
    const failure = failureIn(Object.assign(new Error("not read"), { digest }));
    const shownOld = inWords(<StaleNotice isOnDemand fresh={{ asOf, failure }} trouble="failed" />);
    expect(shownOld).toContain(messages.refusals.ACCOUNT_RESTRICTED.body);
    expect(shownOld).toContain(sinceThen);
    const unnamed = { asOf, failure: failureIn(new Error("not read")) };
    expect(inWords(<StaleNotice isOnDemand fresh={unnamed} trouble="failed" />)).toContain(
      messages.states.staleOnDemand,
    );
  });

  it("says one thing of a silent provider, however the list is read", () => {
    const failure = { kind: "unavailable", code: SILENT, since } as const;
    const told = messages.provider.silentSince.split("{time}")[0] ?? "";
    const kept = shown({ asOf, isStale: true, failure }, "rows");
    expect(kept).toContain(messages.states.staleTitle.split("{time}")[0]);
    const unavailable = new AppError("unavailable", { requestId: "req-1", code: SILENT, since });
    const atOnce = inWords(<FailedView error={unavailable} retry={() => {}} />);
    for (const text of [kept, shown({ ...unread, failure }, "nothing"), atOnce]) {
      expect(text).toContain(told);
      expect(text).toContain("11:03");
      for (const other of [
        messages.states.staleBody,
        messages.errors.unavailable,
        messages.readOutages["circuit-open"],
      ])
        expect(text).not.toContain(other);
    }
    expect(atOnce).not.toContain("<h2");
  });

  it("does not call a late read failed", () => {
    const late = { ...read, isStale: true };
    expect(shown(late, "rows")).toContain(messages.states.staleLate);
    expect(shown(late, "rows")).not.toContain(messages.states.staleBody);
  });

  it("says that the reader's session ended", () => {
    expect(shown(read, "rows", "signed-out")).toContain(messages.errors.unauthenticated);
  });
});

describe("a count", () => {
  it("shows the count of a complete read", () => {
    expect(countKnown("0", 0, read)).toBe("0");
    expect(countKnown("1.234", 1234, read)).toBe("1.234");
  });

  it('shows no 0 for an unread count, and "at least" for a partial one', () => {
    expect(countKnown("0", 0, unread)).toBeUndefined();
    expect(countKnown("12", 12, unread)).toBe("12+");
    expect(countKnown("99+", 99, unread)).toBe("99+");
  });
});
