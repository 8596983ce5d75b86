import { useTranslations } from "next-intl";
import { ProviderText } from "@/components/layout/provider-text";
import type { KeptHeaders } from "@/lib/db/enums/webhooks";

export function KeptHeaderList({ headers }: { headers: KeptHeaders }) {
  const t = useTranslations("delivery");
  const kept = Object.entries(headers);
  if (kept.length === 0) return <p className="mt-1 text-sm text-muted">{t("headersNone")}</p>;
  return (
    <dl className="mt-1.5 grid gap-x-6 gap-y-0.5 text-sm medium:grid-cols-[minmax(9rem,max-content)_1fr]">
      {kept.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-muted wrap-anywhere">{name}</dt>
          <dd className="font-mono wrap-anywhere max-medium:pl-3">
            <ProviderText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
