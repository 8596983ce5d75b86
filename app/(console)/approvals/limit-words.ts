import type { DayLimits } from "@/lib/permission/limits";
import { useLocale, useTranslations } from "next-intl";
import { formatBrl } from "@/lib/text/format";

export const isTold = (term: string | null) => term !== null;

export function useLimitTerms(): (limits: DayLimits) => (string | null)[] {
  const t = useTranslations("approvals.limits");
  const locale = useLocale();
  return ({ personSum, personCount, payeeSum, payeeCount, tenantSum, firstSum }) => [
    personSum === null ? null : t("personSum", { amount: formatBrl(personSum, locale) }),
    personCount === null ? null : t("personCount", { count: personCount }),
    payeeSum === null ? null : t("payeeSum", { amount: formatBrl(payeeSum, locale) }),
    payeeCount === null ? null : t("payeeCount", { count: payeeCount }),
    tenantSum === null ? null : t("tenantSum", { amount: formatBrl(tenantSum, locale) }),
    firstSum === null ? null : t("firstSum", { amount: formatBrl(firstSum, locale) }),
  ];
}

export function useLimitWords(): (limits: DayLimits) => string[] {
  const termsOf = useLimitTerms();
  return (limits) => termsOf(limits).filter(isTold);
}
