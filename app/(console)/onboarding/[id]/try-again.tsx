import { Repeat2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { PermittedLink } from "@/components/ui/permitted-link";
import { hrefWith } from "@/lib/href";

type TryAgainProps = { id: string; denial: string | null };

/** A refused attempt leads to the form for the next one, which begins with what this one knew. */
export function TryAgain({ id, denial }: TryAgainProps) {
  const t = useTranslations("onboardingRecord");
  return (
    <PermittedLink href={hrefWith("/onboarding/new", { from: id })} denial={denial}>
      <Repeat2 aria-hidden size={14} />
      {t("tryAgain")}
    </PermittedLink>
  );
}
