import { useLocale, useTranslations } from "next-intl";
import { ProviderText } from "@/components/provider-text";
import { RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { OnboardingRow } from "@/lib/onboarding/queries";

/** What the provider says: the text meant for the holder apart from its raw status, which is for us. */
export function Messages({ messages }: { messages: OnboardingRow["messages"] }) {
  const t = useTranslations("onboarding");
  const locale = useLocale();
  return (
    <RecordSection id="messages" title={t("messages")}>
      {messages.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noMessages")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {messages.map((message) => (
          <li key={`${message.id} ${message.date} ${message.message}`} className="px-5 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
              <time dateTime={message.date} className="tabular-nums">
                {formatDateTime(message.date, locale)}
              </time>
              {message.actionRequired ? <Badge tone="warning">{t("actionRequired")}</Badge> : null}
              {message.url ? <SafeLink link={message.url} /> : null}
            </div>
            <p className="mt-1 max-w-prose break-words whitespace-pre-line">
              <ProviderText text={message.message} />
            </p>
            <p className="mt-1 text-sm text-muted">
              {t("diagnostic")}:{" "}
              <code className="font-mono wrap-anywhere">
                <ProviderText text={message.status} />
              </code>{" "}
              ·{" "}
              <code className="font-mono wrap-anywhere">
                <ProviderText text={message.id} />
              </code>
            </p>
          </li>
        ))}
      </ol>
    </RecordSection>
  );
}
