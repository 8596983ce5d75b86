import { useLocale, useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";
import { EmptyView } from "@/components/layout/empty-view";
import { useFailureReason, useFailureWords } from "@/components/layout/failure-words";
import { StaleNotice } from "./stale-notice";
import { formatTime } from "@/lib/text/format";
import type { Fresh, Trouble } from "@/lib/text/page";
import type { ReadFailure } from "@/lib/errors/result";

type Icon = ComponentProps<typeof EmptyView>["icon"];

export function useUnreadReason(): (failure: ReadFailure | null) => string {
  const t = useTranslations("states");
  const reasonOf = useFailureReason();
  return (failure) => (failure === null ? t("unreadBody") : reasonOf(failure));
}

export function UnreadView({ fresh: { asOf, failure }, icon }: { fresh: Fresh; icon: Icon }) {
  const t = useTranslations();
  const locale = useLocale();
  const reasonOf = useUnreadReason();
  const wordsOf = useFailureWords();
  return (
    <EmptyView
      icon={icon}
      title={failure === null ? t("common.neverUpdated") : wordsOf(failure).title}
      body={reasonOf(failure)}
    >
      {asOf === null ? null : (
        <p className="text-sm text-muted">{t("states.nothingThen", { time: formatTime(asOf, locale) })}</p>
      )}
    </EmptyView>
  );
}

type ReadRowsProps = {
  fresh: Fresh;
  trouble: Trouble | null;
  icon: Icon;
  empty: ReactNode;
  children: ReactNode;
};

/** Only what was read is called empty; old rows show their date. */
export function ReadRows({ fresh, trouble, icon, empty, children }: ReadRowsProps) {
  const isUnread = empty !== null && (fresh.asOf === null || fresh.failure !== null);
  const isShownBelow = isUnread && trouble === "failed" && fresh.failure !== null;
  return (
    <>
      {trouble === null || isShownBelow ? null : <StaleNotice fresh={fresh} trouble={trouble} />}
      {isUnread ? <UnreadView fresh={fresh} icon={icon} /> : (empty ?? children)}
    </>
  );
}
