import { useTranslations } from "next-intl";
import { ProviderText, SealedText } from "@/components/layout/provider-text";
import { fieldLabel } from "@/lib/text/field-label";
import { isUnopened } from "@/lib/text/provider-word";
import { namingHidden } from "@/lib/text/safe-link";
import { cn } from "@/components/ui/cn";
import type { ShownBody } from "@/lib/text/shown-body";

type ShownFieldsProps = { body: ShownBody; /** The provider's own names, by their whole path. */ hasPaths?: boolean };

export function ShownFields({ body: { fields, more }, hasPaths = false }: ShownFieldsProps) {
  const t = useTranslations("received");
  if (fields.length === 0) return <p className="mt-1 text-sm text-muted">{t("bodyEmpty")}</p>;
  return (
    <>
      <dl className="mt-1.5 grid gap-x-6 gap-y-0.5 text-sm medium:grid-cols-[minmax(9rem,max-content)_1fr]">
        {fields.map(({ path, value, isMasked }, index) => (
          <div key={`${index} ${path}`} className="contents">
            <dt className="text-muted wrap-anywhere" title={namingHidden(path)}>
              {path === "" ? t("wholeBody") : <bdi>{hasPaths ? namingHidden(path) : fieldLabel(path)}</bdi>}
            </dt>
            <dd className={cn("wrap-anywhere whitespace-pre-wrap max-medium:pl-3", isMasked && "text-muted")}>
              {isUnopened(value) ? <SealedText text={value} /> : <ProviderText text={value} />}
            </dd>
          </div>
        ))}
      </dl>
      {more === 0 ? null : <p className="mt-1.5 text-sm text-muted">{t("bodyMore", { count: more })}</p>}
    </>
  );
}

const MAX_SHOWN = 100;

/** Records that could not be read, listed under their heading. */
export function UnreadRecords({ records }: { records: readonly ShownBody[] }) {
  const t = useTranslations("unread");
  if (records.length === 0) return null;
  return (
    <section aria-label={t("title", { count: records.length })} className="border-t border-line">
      <div className="px-5 py-3">
        <h2 className="font-medium text-warning">{t("title", { count: records.length })}</h2>
        <p className="text-sm text-muted">{t("note")}</p>
      </div>
      <ol>
        {records.slice(0, MAX_SHOWN).map((body, index) => (
          <li key={index} className="border-t border-line px-5 pt-1 pb-2.5">
            <ShownFields body={body} />
          </li>
        ))}
      </ol>
    </section>
  );
}
