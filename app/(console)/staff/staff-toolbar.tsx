"use client";

import { Search, X } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { INPUT_CLASS } from "@/components/ui/input-class";
import { TabLinks } from "@/components/ui/tab-links";
import { isRole, ROLES } from "@/lib/auth/permission";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/lib/text/format";
import { hrefWith } from "@/lib/text/page";
import type { StaffFilter } from "@/lib/staff/rules";
import { STAFF_VIEWS, type StaffView } from "@/lib/staff/view";

const CONTROL = cn(INPUT_CLASS, "h-7 px-2 text-sm");

const addressOf = ({ state, role }: Partial<StaffFilter>) =>
  hrefWith("/staff", { state: state === "all" ? undefined : state, role });

type StaffToolbarProps = {
  filter: StaffFilter;
  counts: Record<StaffView, number>;
  sought: string;
  onSeek: (sought: string) => void;
  children: ReactNode;
};

/** State and role stand in the address; a name never does. */
export function StaffToolbar({ filter, counts, sought, onSeek, children }: StaffToolbarProps) {
  const t = useTranslations();
  const locale = useLocale();
  const router = useRouter();
  const tabs = STAFF_VIEWS.map((view) => ({
    href: addressOf({ state: view, role: filter.role }),
    label: t(`staff.views.${view}`),
    count: formatCount(counts[view], locale),
    isCurrent: view === filter.state,
  }));
  const choose = (name: string) =>
    router.push(addressOf({ state: filter.state, role: isRole(name) ? name : undefined }), { scroll: false });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-y border-line px-5 max-desk:pb-2">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <TabLinks label={t("staff.viewsLabel")} tabs={tabs} />
      </div>
      <div className="relative w-56 max-sm:w-full">
        <Search aria-hidden size={13} className="pointer-events-none absolute top-1.75 left-2 text-faint" />
        <input
          type="text"
          role="searchbox"
          value={sought}
          onChange={(event) => onSeek(event.target.value)}
          aria-label={t("staff.search")}
          placeholder={t("staff.search")}
          autoComplete="off"
          spellCheck={false}
          className={cn(CONTROL, "px-7")}
        />
        {sought === "" ? null : (
          <button
            type="button"
            aria-label={t("staff.clearSearch")}
            onClick={() => onSeek("")}
            className="absolute top-0.5 right-0.5 grid size-6 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden size={13} />
          </button>
        )}
      </div>
      <div className="w-38 max-sm:flex-1">
        <select
          aria-label={t("staff.roleFilter")}
          value={filter.role ?? ""}
          onChange={(event) => choose(event.target.value)}
          className={CONTROL}
        >
          <option value="">{t("staff.anyRole")}</option>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {t(`roles.${role}`)}
            </option>
          ))}
        </select>
      </div>
      {children}
    </div>
  );
}
