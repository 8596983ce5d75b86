"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type MouseEvent, use, useEffect, useRef, useState } from "react";
import { ScreenTitles } from "@/app/(console)/screen-titles";
import { cn } from "@/components/ui/cn";
import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { useLive } from "@/components/live/live-provider";
import { createRefresher } from "@/components/live/refresher";
import { useQuietRead } from "@/components/live/use-read";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon, type IconName } from "@/components/ui/icons";
import type { Owed } from "@/lib/approvals/queries";
import type { ScreenName } from "./screens";

const QUERY_KEY = ["approvals", "owed"];

function OwedBadge() {
  const t = useTranslations("owed");
  const read = useQuietRead();
  const client = useQueryClient();
  const { follow } = useLive();
  const { data } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => read<Owed>("/api/approvals/owed", signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
    retry: false,
  });

  useEffect(() => {
    const { ask, end } = createRefresher(() => void client.refetchQueries({ queryKey: QUERY_KEY }));
    const unfollow = follow((signal) => {
      if (signal.kind === "reset" || (signal.kind === "changed" && signal.topic === "approvals")) ask();
    });
    return () => {
      unfollow();
      end();
    };
  }, [client, follow]);

  const count = data === undefined ? 0 : data.toDecide + data.news + data.toComplete;
  if (count === 0) return null;
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-medium text-accent-ink tabular-nums">
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("count", { count })}</span>
    </span>
  );
}

const ITEM = "nav-item";

function closeDrawer(event: MouseEvent<HTMLAnchorElement>) {
  const drawer = event.currentTarget.closest("[popover]");
  if (drawer instanceof HTMLElement && drawer.matches(":popover-open")) drawer.hidePopover();
}

type Item = { name: ScreenName; href: string; icon: IconName; denial: string | null };

/** No prefetch: a click that overtakes one leaves the screen blank. */
function NavItem({ name, href, icon, denial }: Item) {
  const path = usePathname();
  const label = use(ScreenTitles)?.[name];
  if (denial !== null) {
    return (
      <DeniedButton isWide reason={denial} className={cn(ITEM, "cursor-not-allowed text-faint")}>
        <Icon of={icon} size={16} strokeWidth={1.75} />
        {label}
      </DeniedButton>
    );
  }
  const isCurrent = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isCurrent ? "page" : undefined}
      onClick={closeDrawer}
      className={cn(ITEM, "nav-link")}
    >
      <Icon of={icon} size={16} strokeWidth={1.75} />
      {label}
      {href === "/approvals" ? <OwedBadge /> : null}
    </Link>
  );
}

export function NavList({ items }: { items: readonly Item[] }) {
  return (
    <ul className="space-y-px">
      {items.map((item) => (
        <li key={item.name}>
          <NavItem {...item} />
        </li>
      ))}
    </ul>
  );
}

export function DeniedScreens({ label, items }: { label: string; items: readonly Item[] }) {
  const list = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  // It may be open before the script has come.
  useEffect(() => setOpen(list.current?.open === true), []);
  return (
    <details ref={list} className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex h-8 list-none items-center gap-2.5 rounded px-2.5 text-sm text-faint outline-offset-[-2px] hover:bg-hover hover:text-ink">
        <Icon of="lock" size={12} className="mx-0.5" />
        {label}
        <Icon of="chevron-right" size={12} className="ml-auto group-open:rotate-90" />
      </summary>
      {isOpen ? <NavList items={items} /> : null}
    </details>
  );
}
