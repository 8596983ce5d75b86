import { type Locale, useLocale, useTranslations } from "next-intl";
import { formatBrl, isToTheCent, signOf } from "@/lib/text/format";
import { cn } from "@/components/ui/cn";

type Direction = "CREDIT" | "DEBIT";

const SIGNS: Record<Direction, string> = { CREDIT: signOf("in"), DEBIT: signOf("out") };

type MoneyProps = { decimal: string; direction?: Direction };

function textOf({ decimal, direction }: MoneyProps, locale: Locale): string {
  const amount = formatBrl(direction ? decimal.replace(/^-/, "") : decimal, locale);
  return direction ? `${SIGNS[direction]}${amount}` : amount;
}

/** Fractions of a cent are marked as the provider's. The sign is written, so that colour is never alone. */
export function Money(props: MoneyProps) {
  const text = textOf(props, useLocale());
  return (
    // A new element per amount: browser translation detaches the old text from React.
    <span
      key={text}
      translate="no"
      className={cn("whitespace-nowrap tabular-nums", props.direction === "CREDIT" && "text-positive")}
    >
      {text}
      <AsTold decimal={props.decimal} />
    </span>
  );
}

/** Attributes and text for a cell, which saves an element in each row. */
export const moneyCell = (props: MoneyProps, locale: Locale) => ({
  key: textOf(props, locale),
  translate: "no" as const,
  className: cn("font-medium tabular-nums", props.direction === "CREDIT" && "text-positive"),
});

export function MoneyText(props: MoneyProps) {
  return (
    <>
      {textOf(props, useLocale())}
      <AsTold decimal={props.decimal} />
    </>
  );
}

function AsTold({ decimal }: Pick<MoneyProps, "decimal">) {
  const t = useTranslations("common");
  if (isToTheCent(decimal)) return null;
  return <span className="ml-1.5 text-xs font-normal text-warning">{t("asTold")}</span>;
}
