"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { type MouseEvent, use, useEffect, useId, useMemo, useRef, useState } from "react";
import { ScreenTitles } from "@/app/(console)/screen-titles";
import { cn } from "@/components/ui/cn";
import { useLocale, useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { POLL_INTERVAL_MS, useRefetched } from "@/components/live/live-provider";
import { useQuietRead } from "@/components/session/use-read";
import { DeniedButton } from "@/components/ui/denied-button";
import { Icon, type IconName } from "@/components/ui/icons";
import type { Owed } from "@/lib/approvals/queries";
import { formatCount } from "@/lib/text/format";
import { countKnown, type Waiting } from "@/lib/text/page";
import type { ScreenName } from "./screens";

type Counted = { approvals: Owed; kyc: Waiting; onboarding: Waiting };

const COUNTED_AT = {
  approvals: "/api/approvals/owed",
  kyc: "/api/kyc/waiting",
  onboarding: "/api/onboarding/waiting",
} as const satisfies Record<keyof Counted, string>;

function useOwed<Area extends keyof Counted>(topic: Area): Counted[Area] | undefined {
  const read = useQuietRead();
  const address = COUNTED_AT[topic];
  const queryKey = useMemo(() => ["counted", address], [address]);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read<Counted[Area]>(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // A change whose signal or whose read was lost shows no longer than in a list.
    refetchInterval: POLL_INTERVAL_MS,
    refetchOnWindowFocus: "always",
    retry: 1,
  });

  useRefetched(queryKey, { topic });
  return data;
}

const BADGE = "ml-auto rounded-full px-1.5 text-xs font-medium tabular-nums";

function OwedBadge() {
  const t = useTranslations("owed");
  const count = useOwed("approvals")?.count ?? 0;
  if (count === 0) return null;
  return (
    <span className={cn(BADGE, "bg-accent text-accent-ink")}>
      <span aria-hidden>{count}</span>
      <span className="sr-only">{t("count", { count })}</span>
    </span>
  );
}

/** Describes the link without renaming it; an unread count is not 0. */
function WaitingBadge({ area, id }: { area: "kyc" | "onboarding"; id: string }) {
  const t = useTranslations("owed");
  const locale = useLocale();
  const waiting = useOwed(area);
  if (waiting === undefined) return null;
  const { count } = waiting;
  const shown = countKnown(formatCount(count, locale), count, waiting);
  if (shown === formatCount(0, locale)) return null;
  return (
    <span aria-hidden className={cn(BADGE, "bg-hover text-muted")}>
      {shown ?? "–"}
      <span id={id} className="sr-only">
        {shown === undefined ? t("unread") : t("waiting", { count, shown })}
      </span>
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
  const id = useId();
  const label = use(ScreenTitles)?.get(name);
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
      aria-describedby={id}
      onClick={closeDrawer}
      className={cn(ITEM, "nav-link")}
    >
      <Icon of={icon} size={16} strokeWidth={1.75} />
      {label}
      {name === "approvals" ? <OwedBadge /> : null}
      {name === "kyc" || name === "onboarding" ? <WaitingBadge area={name} id={id} /> : null}
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
  // It may be open before the script loads.
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
