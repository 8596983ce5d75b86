"use client";

import dynamic from "next/dynamic";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { deferred } from "@/components/layout/deferred";
import { Icon } from "@/components/ui/icons";
import { initialsOf } from "@/lib/text/initials";

export const TenantSlot = dynamic(() => import("./tenant-menu").then((loaded) => loaded.TenantMenu));

export const PanelSkeleton = () => <div aria-busy className="skeleton h-24" />;

type PanelProps = { id: string; className: string; children: ReactNode };

export function Panel({ id, className, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const [wasOpened, setOpened] = useState(false);
  useEffect(() => {
    if (panel.current?.matches(":popover-open")) setOpened(true);
  }, []);
  return (
    // Even a transparent backdrop stops Chromium painting behind it, and assistive checks ignore the top layer.
    <div ref={panel} id={id} popover="auto" onBeforeToggle={() => setOpened(true)} className={`panel ${className}`}>
      {wasOpened ? children : <PanelSkeleton />}
    </div>
  );
}

const loadPersonPanel = () => import("./panels").then((loaded) => loaded.PersonPanel);
const prepare = () => void loadPersonPanel();
const PersonPanel = deferred(loadPersonPanel, <PanelSkeleton />);

const PERSON_ID = "person-menu";

export function PersonMenu({ label, ...person }: ComponentProps<typeof PersonPanel> & { label: string }) {
  const { name, roles } = person;
  return (
    <div className="border-t border-line p-2.5">
      <button
        type="button"
        popoverTarget={PERSON_ID}
        onPointerEnter={prepare}
        onFocus={prepare}
        className="flex w-full items-center gap-2.5 rounded px-1.5 py-1.5 text-start hover:bg-hover"
      >
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-tint text-xs font-semibold text-accent"
        >
          {initialsOf(name)}
        </span>
        <span className="min-w-0 flex-1">
          <span className="sr-only">{label}: </span>
          <span className="block truncate text-sm font-medium">{name}</span>
          <span className="block truncate text-xs text-muted">{roles}</span>
        </span>
        <Icon of="chevrons-up-down" size={14} className="shrink-0 text-faint" />
      </button>
      <Panel id={PERSON_ID} className="bottom-16 z-50 w-66 space-y-3.5">
        <PersonPanel {...person} />
      </Panel>
    </div>
  );
}
