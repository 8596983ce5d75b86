import { Fragment } from "react";
import { useLocale, useTranslations } from "next-intl";
import { LIMIT_NAMES } from "@/lib/permission/limits";
import type { Policy } from "@/lib/permission/writes";
import { formatBrl, formatCount } from "@/lib/text/format";

export function PolicyNumbers({ policy }: { policy: Policy }) {
  const t = useTranslations("approvalPolicy.terms");
  const policies = useTranslations("approvalPolicy");
  const locale = useLocale();
  const { rule, amount, expiresAfterHours } = policy;
  const limits = LIMIT_NAMES.map((name) => {
    const limit = policy[name];
    const value = typeof limit === "number" ? formatCount(limit, locale) : limit && formatBrl(limit, locale);
    return [t(name), value] as const;
  });
  const terms = [
    rule === "above" && amount !== null
      ? ([t("amount"), formatBrl(amount, locale)] as const)
      : ([t("rule"), policies(`rules.${rule}`)] as const),
    ...limits,
    [t("expires"), policies("hours", { hours: expiresAfterHours })] as const,
  ];
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)_fit-content(60%)] gap-x-4 gap-y-0.5 text-sm">
      {terms.map(([label, value]) =>
        value === null ? null : (
          <Fragment key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="text-end tabular-nums">{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
