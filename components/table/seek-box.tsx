"use client";

import { Icon } from "@/components/ui/icons";
import Link from "next/link";
import { useTranslations } from "next-intl";
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
} from "react";
import { cn, INPUT_CLASS } from "@/components/ui/cn";
import { useEarlyText } from "@/components/ui/field";
import { keyOf } from "@/components/ui/keys";

type SeekBoxProps = Pick<ComponentProps<"input">, "title" | "maxLength" | "aria-busy"> & {
  label: string;
  typed: string;
  problemId: string | null;
  onType: (typed: string) => void;
  onSeek: () => void;
  onLeave: () => void;
  children: ReactNode;
};

/** No form and no name, so that nothing typed reaches a URL even before the script loads. */
export function SeekBox({ label, typed, problemId, onType, onSeek, onLeave, children, ...input }: SeekBoxProps) {
  const t = useTranslations("search");
  const id = useId();
  const sought = useRef("");
  const early = useRef("");
  useEarlyText(id, typed, ({ target }) => {
    early.current = target.value;
    onType(target.value);
  });
  const seek = () => {
    sought.current = typed;
    onSeek();
  };
  // Typed and left before the script came, as `leave` would have sought it.
  const seekEarly = useEffectEvent((text: string) => {
    if (text !== early.current) return;
    early.current = "";
    if (text.trim() !== "" && document.activeElement?.id !== id) seek();
  });
  useEffect(() => seekEarly(typed), [typed]);
  const seekOnEnter = (event: KeyboardEvent) => {
    if (keyOf(event) === "Enter") seek();
    if (keyOf(event) === "Escape") onLeave();
  };
  // A text that was not sought would stand over a list that it does not filter.
  const leave = () => (typed.trim() !== "" && sought.current !== typed ? seek() : onLeave());
  return (
    <search
      className="relative min-w-32 flex-1 @medium:min-w-48"
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || leave()}
    >
      {input["aria-busy"] === true ? (
        <span className="absolute top-1.75 left-2 size-3.5 animate-spin rounded-full border-2 border-line border-t-accent">
          <span className="sr-only">{t("searching")}</span>
        </span>
      ) : (
        <Icon of="search" size={14} className="absolute top-1.75 left-2 text-faint" />
      )}
      <input
        {...input}
        id={id}
        type="search"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={seekOnEnter}
        placeholder={label}
        aria-label={label}
        aria-invalid={problemId === null ? undefined : true}
        aria-describedby={problemId ?? undefined}
        autoComplete="off"
        spellCheck={false}
        className={cn(INPUT_CLASS, "h-7 pl-7 text-sm")}
      />
      {children}
    </search>
  );
}

const NOTE_LOOK = cn(
  "absolute top-full left-0 z-20 mt-1 max-w-md rounded bg-raised px-2 py-1 text-sm text-negative shadow-float empty:hidden",
  "max-wide:static max-wide:max-w-none max-wide:shadow-none",
);

type SeekNoteProps = {
  id: string;
  isShown: boolean;
  /** The masked document that was found, whose zeros were missing; with an address where it is not open yet. */
  restored: { document: string; href?: string } | null;
  children: ReactNode;
};

export function SeekNote({ id, isShown, restored, children }: SeekNoteProps) {
  const t = useTranslations("search");
  return (
    <div
      id={id}
      aria-live="polite"
      onPointerDown={(event) => event.preventDefault()}
      className={isShown || restored !== null ? NOTE_LOOK : "sr-only"}
    >
      {restored === null ? null : (
        <p className="text-ink">
          {t("restored", { document: restored.document })}{" "}
          {restored.href === undefined ? null : (
            <Link href={restored.href} prefetch={false} scroll={false} className="text-accent hover:underline">
              {t("restoredOpen")}
            </Link>
          )}
        </p>
      )}
      {children}
    </div>
  );
}

type FilterChipProps = { href: string; text: string; clear: string };

export function FilterChip({ href, text, clear }: FilterChipProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      title={clear}
      className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded bg-accent-tint px-2 text-sm font-medium text-accent"
    >
      <span className="min-w-0 wrap-anywhere">{text}</span>
      <Icon of="x" size={13} className="shrink-0" />
      <span className="sr-only">{clear}</span>
    </Link>
  );
}
