"use client";

import { ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import type { Place } from "./tenant-choice";
import { TenantList } from "./tenant-list";

type TenantMenuProps = {
  current: Place;
  places: readonly Place[];
  className: string;
  panelClassName: string;
  /** Where one works, as the button says it. */
  children: ReactNode;
};

/** Where one works, and a way to the other tenants. */
export function TenantMenu({ current, places, className, panelClassName, children }: TenantMenuProps) {
  const t = useTranslations("desk");
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const [visit, setVisit] = useState(0);
  return (
    <>
      <button
        type="button"
        popoverTarget={panelId}
        className={cn("items-center gap-2 text-start hover:bg-hover", className)}
      >
        {children}
        <span className="sr-only">{t("switch")}</span>
        <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-faint" />
      </button>
      {/* Its backdrop dims nothing, yet with one Chromium stops painting what lies behind the drawer. */}
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        onToggle={({ newState }) => newState === "closed" && setVisit(visit + 1)}
        className={cn(
          "fixed inset-auto m-0 max-h-[70dvh] overflow-y-auto rounded-lg bg-raised p-1.5 text-ink shadow-float backdrop:hidden",
          panelClassName,
        )}
      >
        <TenantList key={visit} current={current} places={places} onClose={() => panel.current?.hidePopover()} />
      </div>
    </>
  );
}
