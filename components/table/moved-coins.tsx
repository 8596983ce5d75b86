import { CoinAmount } from "@/components/layout/amount";
import { isDecimal, signOf } from "@/lib/text/format";

type MovedCoinsProps = { decimal: string; unit: string; direction: "in" | "out" | null };

/** Without a sign where the direction is unknown or the provider's amount has one of its own. */
export function MovedCoins({ decimal, unit, direction }: MovedCoinsProps) {
  if (direction === null || !isDecimal(decimal) || decimal.startsWith("-"))
    return <CoinAmount decimal={decimal} unit={unit} />;
  return (
    <span className={direction === "in" ? "text-positive" : undefined}>
      <CoinAmount sign={signOf(direction)} decimal={decimal} unit={unit} />
    </span>
  );
}
