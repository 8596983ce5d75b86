import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { useFailureReason } from "@/components/layout/failure-words";
import { Notice } from "@/components/ui/notice";
import { formatAsOf } from "@/lib/text/format";
import { isOutage, isRefusal, type ReadFailure, SILENT } from "@/lib/errors/result";
import type { Fresh, Trouble } from "@/lib/text/page";

type StaleNoticeProps = {
  fresh: Pick<Fresh, "asOf" | "isOldest"> & Partial<Pick<Fresh, "failure">>;
  trouble: Trouble;
  area?: string;
  isOnDemand?: boolean;
  children?: ReactNode;
};

export function StaleNotice({
  fresh: { asOf, isOldest = false, failure = null },
  trouble,
  area,
  isOnDemand = false,
  children,
}: StaleNoticeProps) {
  const t = useTranslations();
  const locale = useLocale();
  const reason = useNamedReason(failure);
  return (
    <Notice tone="warning" live="polite" className="mx-5 my-3">
      <strong className="font-medium">
        {area === undefined ? null : `${area}: `}
        {asOf
          ? t(isOldest ? "states.staleSince" : "states.staleTitle", { time: formatAsOf(asOf, locale) })
          : t("states.notWhole")}
      </strong>{" "}
      {trouble === "signed-out" ? (
        <>
          {t("errors.unauthenticated")}{" "}
          <Link href="/sign-in" prefetch={false} className="font-medium text-accent underline">
            {t("states.signInAgain")}
          </Link>
        </>
      ) : trouble === "late" ? (
        t("states.staleLate")
      ) : (
        (reason ?? t(isOnDemand ? "states.staleOnDemand" : "states.staleBody"))
      )}
      {children}
    </Notice>
  );
}

/** Null for a failure that is retried anyway. */
export function useNamedReason(failure: ReadFailure | null): string | null {
  const reasonOf = useFailureReason();
  if (failure === null) return null;
  const { code } = failure;
  return isRefusal(code) || isOutage(code) || code === SILENT ? reasonOf(failure) : null;
}
