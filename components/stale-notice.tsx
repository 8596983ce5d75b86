import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import { formatTime } from "@/lib/format";

type StaleNoticeProps = {
  asOf: string | null;
  isSignedOut: boolean;
  /** Nothing refreshes it but the person who reads it. */
  isOnDemand?: boolean;
};

/** Rows are shown although they could not be refreshed: says from when they are, and what to do if it will not mend itself. */
export function StaleNotice({ asOf, isSignedOut, isOnDemand = false }: StaleNoticeProps) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <Notice tone="warning" live="polite" className="mx-5 my-3">
      <strong className="font-medium">
        {asOf ? t("states.staleTitle", { time: formatTime(asOf, locale) }) : t("common.neverUpdated")}
      </strong>{" "}
      {isSignedOut ? (
        <>
          {t("errors.unauthenticated")}{" "}
          <Link href="/sign-in" prefetch={false} className="font-medium text-accent underline">
            {t("states.signInAgain")}
          </Link>
        </>
      ) : (
        t(isOnDemand ? "states.staleOnDemand" : "states.staleBody")
      )}
    </Notice>
  );
}
