import { useLocale, useTranslations } from "next-intl";
import { isToTheCent } from "@/lib/text/format";
import { cn } from "@/components/ui/cn";
import { formatBrl } from "@/lib/text/format";

type Direction = "CREDIT" | "DEBIT";

const SIGNS: Record<Direction, string> = { CREDIT: "+", DEBIT: "−" };

/** Fractions of a cent are marked as the provider's. The sign is written, so that colour is never alone. */
export function Money({ decimal, direction }: { decimal: string; direction?: Direction }) {
  const t = useTranslations("common");
  const locale = useLocale();
  const amount = formatBrl(direction ? decimal.replace(/^-/, "") : decimal, locale);
  const text = direction ? `${SIGNS[direction]} ${amount}` : amount;
  return (
    // Anew for each amount: a browser that translates the page takes the text away from React, which would change nothing.
    <span
      key={text}
      translate="no"
      className={cn("whitespace-nowrap tabular-nums", direction === "CREDIT" && "text-positive")}
    >
      {text}
      {isToTheCent(decimal) ? null : <span className="ml-1.5 text-xs font-normal text-warning">{t("asTold")}</span>}
    </span>
  );
}
