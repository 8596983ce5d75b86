"use client";

import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { type TabLink, TabLinks } from "@/components/ui/tab-links";
import { deferred } from "@/components/layout/deferred";
import type { SavedView } from "@/lib/preferences/queries";
import type { ViewArea } from "@/lib/db/enums/preferences";

const ViewDialog = deferred(() => import("./view-dialog").then((loaded) => loaded.ViewDialog));

export type SaveViewProps = {
  area: ViewArea;
  search: string;
  plainHref: string;
  saved: readonly SavedView[];
  onSaid: (said: string) => void;
};

type ViewTabsProps = {
  label: string;
  path: string;
  tabs: readonly TabLink[];
  search: string;
  saved: readonly SavedView[];
};

export function ViewTabs({ label, path, tabs, search, saved }: ViewTabsProps) {
  const current = saved.find((view) => view.search === search);
  const own = saved.map((view) => ({ href: `${path}?${view.search}`, label: view.name, isCurrent: view === current }));
  const others = tabs.map((tab) => ({ ...tab, isCurrent: current === undefined && tab.isCurrent }));
  return <TabLinks label={label} tabs={[...others, ...own]} />;
}

export function SaveView({ area, search, plainHref, saved, onSaid }: SaveViewProps) {
  const t = useTranslations("views");
  const [isOpen, setOpen] = useState(false);
  const current = saved.find((view) => view.search === search) ?? null;
  return (
    <>
      <Button size="small" tone="quiet" onClick={() => setOpen(true)}>
        {current === null ? <Icon of="bookmark" size={13} /> : <Icon of="bookmark-filled" size={13} />}
        <span className="@max-medium:sr-only">{current === null ? t("keep") : t("change")}</span>
      </Button>
      {isOpen ? (
        <ViewDialog
          area={area}
          search={search}
          plainHref={plainHref}
          current={current}
          onClose={() => setOpen(false)}
          onDone={(said) => {
            setOpen(false);
            onSaid(said);
          }}
        />
      ) : null}
    </>
  );
}
