import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { type RefObject, useId } from "react";
import { KycStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import { formatDate } from "@/lib/format";
import { type Likeness, REPEAT_DAYS } from "@/lib/kyc-start";

function LikenessLine({ likeness }: { likeness: Likeness }) {
  const t = useTranslations("kycStart");
  const locale = useLocale();
  const { kycUUID, at, byName, status, isSame } = likeness;
  const date = formatDate(at, locale);
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{isSame ? t("likeSame", { date, name: byName ?? "" }) : t("likeCase", { date })}</span>
      {status === null ? <span className="text-muted">{t("likeUnknown")}</span> : <KycStatusBadge status={status} />}
      {kycUUID === null ? null : (
        <Link
          href={`/kyc/${encodeURIComponent(kycUUID)}`}
          prefetch={false}
          target="_blank"
          className="text-accent underline"
        >
          {t("likeOpen")}
        </Link>
      )}
    </li>
  );
}

type LikenessesProps = {
  likenesses: readonly Likeness[];
  /** What whoever ticks wants. */
  again: string;
  tick: RefObject<HTMLInputElement | null>;
  /** One of them is not settled: there is nothing to tick. */
  isBlocked: boolean;
  isTicked: boolean;
  error: string | undefined;
  onTick: (isSet: boolean) => void;
};

/** The same document was started before: going on all the same is billed again, and takes a tick. */
export function Likenesses({ likenesses, again, tick, isBlocked, isTicked, error, onTick }: LikenessesProps) {
  const t = useTranslations("kycStart");
  const id = useId();
  return (
    <Notice tone="warning" className="px-4 py-3">
      <p className="font-medium">{t("likeTitle", { days: REPEAT_DAYS })}</p>
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
            {again}
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
