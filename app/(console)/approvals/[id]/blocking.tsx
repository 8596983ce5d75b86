import { useTranslations } from "next-intl";
import { Notice } from "@/components/ui/notice";
import { isZero } from "@/lib/text/format";
import type { Payer } from "@/lib/transfers/queries";

const isSome = (decimal: string | null) => decimal !== null && !isZero(decimal);

/** The balance or blocked amount that prevents a closing. */
export function Blocking({ balance, blocked }: Pick<Payer, "balance" | "blocked">) {
  const t = useTranslations("closing");
  const obstacles = [
    ...(isSome(balance) ? (["balance"] as const) : []),
    ...(isSome(blocked) ? (["blocked"] as const) : []),
  ];
  if (obstacles.length === 0) return null;
  return (
    <Notice tone="warning">
      <p className="font-medium">{t("obstacles")}</p>
      <ul className="list-disc pl-5">
        {obstacles.map((obstacle) => (
          <li key={obstacle}>{t(`obstacle.${obstacle}`)}</li>
        ))}
      </ul>
    </Notice>
  );
}
