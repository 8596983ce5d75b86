import { EyeOff } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { ProviderText } from "@/components/provider-text";
import { formatDateTime } from "@/lib/format";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";

type DiagnosticsProps = { record: OnboardingRecordView };

/** What the provider says for us alone: apart from the holder's text, and marked as such. */
export function Diagnostics({ record: { messages, onBoardingId, traceId } }: DiagnosticsProps) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <section aria-labelledby="diagnostics" className="mb-5 border-y-2 border-dashed border-line-strong bg-neutral-tint">
      <div className="flex flex-wrap items-baseline gap-x-3 px-5 pt-3 pb-2">
        <h2 id="diagnostics" className="text-sm font-semibold">
          {t("internal")}
        </h2>
        <p className="inline-flex items-center gap-1.5 text-sm font-medium text-warning">
          <EyeOff aria-hidden size={13} />
          {t("internalHint")}
        </p>
      </div>
      <DescriptionList>
        <Described name={t("onBoardingId")}>
          {onBoardingId === null ? (
            <span className="text-muted">{t("noOnBoardingId")}</span>
          ) : (
            <Copied text={onBoardingId} label={t("copyId")} />
          )}
        </Described>
        {traceId === null || traceId === "" ? null : (
          <Described name={t("traceId")}>
            <Copied text={traceId} label={t("copyTrace")} />
          </Described>
        )}
      </DescriptionList>
      {messages.length === 0 ? <p className="px-5 py-2.5 text-sm text-muted">{t("internalNone")}</p> : null}
      <ul className="divide-y divide-line">
        {messages.map((message) => (
          <li key={`${message.id} ${message.date} ${message.message}`} className="px-5 py-2 text-sm">
            <code className="font-mono wrap-anywhere">
              <ProviderText text={message.status} />
            </code>{" "}
            <span className="text-muted">
              <code className="font-mono wrap-anywhere">
                <ProviderText text={message.id} />
              </code>{" "}
              · {formatDateTime(message.date, locale)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <code className="min-w-0 font-mono text-xs wrap-anywhere">
        <ProviderText text={text} />
      </code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
