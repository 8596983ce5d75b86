import { useTranslations } from "next-intl";
import { ProviderText } from "./provider-text";
import { Notice } from "@/components/ui/notice";
import { SealedText } from "./provider-text";
import { isUnopened } from "@/lib/text/provider-word";
import { cn } from "@/components/ui/cn";
import type { ShownBody } from "@/lib/text/shown-body";

export function ShownFields({ body: { fields, more } }: { body: ShownBody }) {
  const t = useTranslations("received");
  if (fields.length === 0) return <p className="mt-1 text-sm text-muted">{t("bodyEmpty")}</p>;
  return (
    <>
      <dl className="mt-1.5 grid gap-x-6 gap-y-0.5 font-mono text-sm sm:grid-cols-[minmax(9rem,max-content)_1fr]">
        {fields.map(({ path, value, isMasked }, index) => (
          <div key={`${index} ${path}`} className="contents">
            <dt className="text-muted wrap-anywhere">{path === "" ? t("wholeBody") : <ProviderText text={path} />}</dt>
            <dd className={cn("wrap-anywhere whitespace-pre-wrap max-sm:pl-3", isMasked && "text-muted")}>
              {isUnopened(value) ? <SealedText text={value} /> : <ProviderText text={value} />}
            </dd>
          </div>
        ))}
      </dl>
      {more === 0 ? null : <p className="mt-1.5 text-sm text-muted">{t("bodyMore", { count: more })}</p>}
    </>
  );
}

const MOST_SHOWN = 20;

export function UnreadRecords({ records }: { records: readonly ShownBody[] }) {
  const t = useTranslations("unread");
  if (records.length === 0) return null;
  return (
    <div className="px-5 py-3">
      <Notice tone="warning">
        <details>
          <summary>{t("title", { count: records.length })}</summary>
          <p className="mt-1 text-sm">{t("note")}</p>
          <ol className="mt-2 space-y-3">
            {records.slice(0, MOST_SHOWN).map((body, index) => (
              <li key={index}>
                <ShownFields body={body} />
              </li>
            ))}
          </ol>
        </details>
      </Notice>
    </div>
  );
}
