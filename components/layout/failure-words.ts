import { useLocale, useTranslations } from "next-intl";
import { isOutage, isRefusal, type ReadFailure, SILENT } from "@/lib/errors/result";
import { formatAsOf, formatDateTime } from "@/lib/text/format";

const TITLED = ["unavailable", "rate-limited", "restricted", "forbidden", "unauthenticated"] as const;

const titleOf = (kind: ReadFailure["kind"]) => TITLED.find((titled) => titled === kind) ?? "other";

/** A failed read has no fields to mark and changed nothing. */
const bodyOf = (kind: ReadFailure["kind"]) => (kind === "invalid" || kind === "conflict" ? "untaken" : kind);

export function useFailureWords(): (failure: Pick<ReadFailure, "kind" | "code">) => { title: string; body: string } {
  const t = useTranslations();
  return ({ kind, code }) => {
    if (isRefusal(code)) return { title: t(`refusals.${code}.title`), body: t(`refusals.${code}.body`) };
    if (code === SILENT) return { title: t("errorTitles.unavailable"), body: t("provider.silent") };
    if (!isOutage(code)) return { title: t(`errorTitles.${titleOf(kind)}`), body: t(`errors.${bodyOf(kind)}`) };
    const title = t(`errorTitles.${kind === "rate-limited" ? kind : "unavailable"}`);
    return { title, body: t(`readOutages.${code}`) };
  };
}

export function useFailureReason(): (failure: ReadFailure) => string {
  const t = useTranslations();
  const locale = useLocale();
  const wordsOf = useFailureWords();
  return (failure) => {
    const { body } = wordsOf(failure);
    const { code, since } = failure;
    if (since === null) return body;
    if (code === SILENT) return t("provider.silentSince", { time: formatAsOf(since, locale) });
    return `${body} ${t("states.since", { time: formatDateTime(since, locale) })}`;
  };
}
