import { useTranslations } from "next-intl";
import { LateNote } from "@/components/ui/skeleton";

/** `unanswered`: a write, and where its result will appear; `undecided`: a decision; `slow`: a read. */
export type SlowWord = "unanswered" | "undecided" | "slow";

/** While the provider is called: says after some seconds that no answer came. */
export function SlowNote({ of, className }: { of: SlowWord; className?: string }) {
  const t = useTranslations("common");
  const said = of === "slow" ? t("slow") : of === "undecided" ? t("undecided") : t("unanswered");
  return <LateNote {...(className !== undefined && { className })}>{said}</LateNote>;
}
