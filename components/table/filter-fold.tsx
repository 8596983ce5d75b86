"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useState } from "react";
import { Button, buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icons";

// A new search mounts the list again, so its filters must stay unfolded.
const unfolded = new Set<string>();

/** Whether a list's filters are unfolded, until the window closes. */
export function useFold(path: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => unfolded.has(path));
  const keep = (isNowOpen: boolean) => {
    if (isNowOpen) unfolded.add(path);
    else unfolded.delete(path);
    setOpen(isNowOpen);
  };
  return [isOpen, keep];
}

type FoldButtonProps = { controls: string; isOpen: boolean; set: number; onToggle: () => void; className?: string };

export function FoldButton({ controls, isOpen, set, onToggle, className }: FoldButtonProps) {
  const t = useTranslations("common");
  return (
    <Button size="small" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle} className={className}>
      <Icon of="list-filter" size={13} />
      {t("filters")}
      {set === 0 ? null : (
        <span aria-label={t("filtersOn", { count: set })} className="text-accent tabular-nums">{`(${set})`}</span>
      )}
    </Button>
  );
}

export function ClearFilters({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} prefetch={false} scroll={false} title={label} className={buttonClass("quiet", "small")}>
      <Icon of="x" size={13} />
      <span className="@max-wide:sr-only">{label}</span>
    </Link>
  );
}
