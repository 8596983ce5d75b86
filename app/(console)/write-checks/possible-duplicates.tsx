import { useTranslations } from "next-intl";
import Link from "next/link";
import { type ReactNode, type RefObject, useId } from "react";
import { Notice } from "@/components/ui/notice";
import type { Repeat } from "./use-repeat";

/** Message namespaces with the same keys. */
export type OrderWords = "kycStart" | "accountForm";

/** Namespaces that also name similar orders. */
type DuplicateWords = OrderWords | "transferForm" | "sendForm";

type DuplicateLineProps = {
  words: DuplicateWords;
  text: string;
  status: ReactNode;
  /** Null while unknown. */
  href: string | null;
};

export function DuplicateLine({ words, text, status, href }: DuplicateLineProps) {
  const t = useTranslations(words);
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span>{text}</span>
      {status}
      {href === null ? null : (
        <Link href={href} prefetch={false} target="_blank" className="text-accent underline">
          {t("likeOpen")}
        </Link>
      )}
    </li>
  );
}

type TickProps = {
  tick: RefObject<HTMLInputElement | null>;
  label: string;
  isTicked: boolean;
  error: string | undefined;
  onTick: (isSet: boolean) => void;
};

export function Tick({ tick, label, isTicked, error, onTick }: TickProps) {
  const id = useId();
  return (
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
        {label}
      </label>
      {error ? (
        <p id={`${id}-error`} className="col-start-2 mt-1 text-negative">
          {error}
        </p>
      ) : null}
    </div>
  );
}

type PossibleDuplicatesProps = {
  words: DuplicateWords;
  title: string;
  again: string;
  repeat: Repeat;
  children: ReactNode;
};

export function PossibleDuplicates({ words, title, again, repeat, children }: PossibleDuplicatesProps) {
  const t = useTranslations(words);
  const { tick, isBlocked, isTicked, isMissing, setTicked } = repeat;
  const error = isMissing ? t("againFirst") : undefined;
  return (
    <Notice tone="warning" className="px-4 py-3">
      <p className="font-medium">{title}</p>
      <ul className="mt-2 space-y-1.5">{children}</ul>
      {isBlocked ? (
        <p className="mt-3">{t("likeBlocked")}</p>
      ) : (
        <Tick tick={tick} label={again} isTicked={isTicked} error={error} onTick={setTicked} />
      )}
    </Notice>
  );
}
