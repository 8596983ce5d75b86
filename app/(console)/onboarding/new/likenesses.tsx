import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type RefObject, useId } from "react";
import { OnboardingStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import type { AccountLikeness } from "@/lib/account-creation";
import { formatDate } from "@/lib/format";

function LikenessLine({ likeness }: { likeness: AccountLikeness }) {
  const t = useTranslations("accountForm");
  const locale = useLocale();
  const { id, at, byName, status, isUnsettled } = likeness;
  const date = formatDate(at, locale);
  const ours = isUnsettled ? "likeUnsettled" : "likeOurs";
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{byName === null ? t("likeElsewhere", { date }) : t(ours, { date, name: byName })}</span>
      {status === null ? null : <OnboardingStatusBadge status={status} />}
      {id === null ? null : (
        <Link href={`/onboarding/${id}`} prefetch={false} target="_blank" className="text-accent underline">
          {t("likeOpen")}
        </Link>
      )}
    </li>
  );
}

type LikenessesProps = {
  likenesses: readonly AccountLikeness[];
  tick: RefObject<HTMLInputElement | null>;
  /** One of them is not settled: there is nothing to tick. */
  isBlocked: boolean;
  isTicked: boolean;
  error: string | undefined;
  onTick: (isSet: boolean) => void;
};

/** The document has an onboarding that goes on, or an account: going on all the same takes a tick. */
export function Likenesses({ likenesses, tick, isBlocked, isTicked, error, onTick }: LikenessesProps) {
  const t = useTranslations("accountForm");
  const id = useId();
  return (
    <Notice tone="warning" className="px-4 py-3">
      <p className="font-medium">{t("likeTitle")}</p>
      <ul className="mt-2 space-y-1.5">
        {likenesses.map((likeness) => (
          <LikenessLine key={likeness.ref} likeness={likeness} />
        ))}
      </ul>
      {isBlocked ? (
        <p className="mt-3">{t("likeBlocked")}</p>
      ) : (
        <div className="mt-3 grid grid-cols-[auto_1fr] gap-x-2.5">
          <input
            ref={tick}
            id={id}
            type="checkbox"
            checked={isTicked}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={({ target }) => onTick(target.checked)}
            className="mt-0.5 size-3.5 accent-accent"
          />
          <label htmlFor={id} className="cursor-pointer font-medium">
            {t("again")}
          </label>
          {error ? (
            <p id={`${id}-error`} className="col-start-2 mt-1 text-negative">
              {error}
            </p>
          ) : null}
        </div>
      )}
    </Notice>
  );
}
