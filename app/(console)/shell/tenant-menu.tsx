"use client";

import { ChevronsUpDown } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useId, useRef, useState } from "react";
import { cn } from "@/lib/cn";
import type { Place } from "./tenant-choice";

const loadList = () => import("./tenant-list");
// Most companies have one tenant, and nobody goes to another one often.
const TenantList = dynamic(() => loadList().then((loaded) => loaded.TenantList), { ssr: false });

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
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={panelId}
        onFocus={() => void loadList()}
        onPointerEnter={() => void loadList()}
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
        onToggle={({ newState }) => setOpen(newState === "open")}
        className={cn(
          "fixed inset-auto m-0 max-h-[70dvh] overflow-y-auto rounded-lg bg-raised p-1.5 text-ink shadow-float backdrop:hidden",
          panelClassName,
        )}
      >
        {isOpen ? <TenantList current={current} places={places} onClose={() => panel.current?.hidePopover()} /> : null}
      </div>
    </>
  );
}
