import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/provider-text";
import { RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";
import { HolderCopy } from "./holder-copy";

type HolderProps = { record: OnboardingRecordView; denial: string | null };

/** What the provider wrote to be read by the holder, and nothing else. */
export function Holder({ record: { row, messages, holder }, denial }: HolderProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { text, stops } = holder;
  const isWithLink = holder.isOfLink && denial === null && row.biometric?.isSafe === true;
  return (
    <RecordSection id="holder" title={t("onboardingRecord.holder")}>
      {messages.length === 0 ? (
        <p className="border-y border-line px-5 py-3 text-muted">{t("onboardingRecord.holderNone")}</p>
      ) : (
        <div className="border-y border-line">
          <ol className="divide-y divide-line">
            {messages.map((message) => (
              <li key={`${message.id} ${message.date} ${message.message}`} className="px-5 py-3">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
                  <time dateTime={message.date} className="tabular-nums">
                    {formatDateTime(message.date, locale)}
                  </time>
                  {message.actionRequired ? <Badge tone="warning">{t("onboarding.actionRequired")}</Badge> : null}
                  {message.url ? <SafeLink link={message.url} /> : null}
                  {message.isOfLink ? <span>{t("onboardingRecord.linkBelow")}</span> : null}
                </div>
                <p className="mt-1 max-w-prose break-words whitespace-pre-line">
                  <ProviderText text={message.message} />
                </p>
              </li>
            ))}
          </ol>
          <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-2.5">
            <p className="text-sm text-muted">
              {t(`onboardingRecord.${isWithLink ? "holderHintLink" : "holderHint"}`)}
            </p>
            {stops.length === 0 ? <HolderCopy text={text} linkOf={isWithLink ? row.id : null} /> : null}
          </div>
          {stops.length === 0 ? null : (
            <Notice tone="warning" className="mx-5 mb-3">
              {t("onboardingRecord.stopped", { count: stops.length, words: stops.join(", ") })}
            </Notice>
          )}
        </div>
      )}
    </RecordSection>
  );
}
