import { Repeat2 } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { DeniedButton } from "@/components/ui/denied-button";
import { hrefWith } from "@/lib/href";

type TryAgainProps = { id: string; denial: string | null };

/** A refused attempt leads to the form for the next one, which begins with what this one knew. */
export function TryAgain({ id, denial }: TryAgainProps) {
  const t = useTranslations("onboardingRecord");
  const label = (
    <>
      <Repeat2 aria-hidden size={14} />
      {t("tryAgain")}
    </>
  );
  if (denial !== null) {
    return (
      <DeniedButton reason={denial} className={buttonClass("plain")}>
        {label}
      </DeniedButton>
    );
  }
  return (
    <Link href={hrefWith("/onboarding/new", { from: id })} prefetch={false} className={buttonClass("plain")}>
      {label}
    </Link>
  );
}
