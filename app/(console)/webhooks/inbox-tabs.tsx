"use client";

import { useTranslations } from "next-intl";
import { ViewTabs } from "@/app/(console)/saved-views/save-view";
import type { TabLink } from "@/components/ui/tab-links";
import type { SavedView } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";
import { RECEIVED_VIEWS } from "@/lib/webhooks/view";

export const PATH = "/webhooks";

type InboxTabsProps = {
  current: "received" | "refused" | "replays";
  /** The views of the list itself. */
  views?: TabLink[];
  search?: string;
  saved?: readonly SavedView[];
};

/** The received list by view and the reader's own views of it, the refused ones, and what was looked at again. */
export function InboxTabs({ current, views, search = "", saved = [] }: InboxTabsProps) {
  const t = useTranslations("received");
  const plain = RECEIVED_VIEWS.map((view) => ({
    href: hrefWith(PATH, { view }),
    label: t(`views.${view}`),
    isCurrent: false,
  }));
  const tabs = [
    ...(views ?? plain),
    { href: `${PATH}/refused`, label: t("tabs.refused"), isCurrent: current === "refused" },
    { href: `${PATH}/replays`, label: t("tabs.replays"), isCurrent: current === "replays" },
  ];
  return <ViewTabs label={t("view")} path={PATH} tabs={tabs} search={search} saved={saved} />;
}
