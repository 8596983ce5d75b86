import { useLocale } from "next-intl";
import { cn } from "@/lib/cn";
import { formatBrl } from "@/lib/format";

type Direction = "CREDIT" | "DEBIT" | `unknown:${string}`;

const SIGNS: Record<string, string> = { CREDIT: "+", DEBIT: "−" };

/** Reais from an exact decimal string. With a direction the sign is written out, so that colour is never alone. */
export function Money({ decimal, direction }: { decimal: string; direction?: Direction }) {
  const locale = useLocale();
  const amount = formatBrl(direction ? decimal.replace(/^-/, "") : decimal, locale);
  return (
    <span className={cn("whitespace-nowrap tabular-nums", direction === "CREDIT" && "text-positive")}>
      {direction ? `${SIGNS[direction] ?? ""} ${amount}`.trim() : amount}
    </span>
  );
}
