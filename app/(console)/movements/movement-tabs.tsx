"use client";

import { useTranslations } from "next-intl";
import { ViewTabs } from "@/app/(console)/saved-views/save-view";
import { SOURCE_KINDS, type SourceKind } from "@/lib/db/enums/movements";
import type { SavedView } from "@/lib/preferences/queries";
import { hrefWith } from "@/lib/text/page";

const PATH = "/movements";

type MovementTabsProps = {
  kind: SourceKind | "all" | "files";
  hasWallets: boolean;
  mayExport: boolean;
  search?: string;
  saved?: readonly SavedView[];
};

/** The list by kind, the reader's views of it, and the files. */
export function MovementTabs({ kind, hasWallets, mayExport, search = "", saved = [] }: MovementTabsProps) {
  const t = useTranslations("movements.views");
  const kinds = SOURCE_KINDS.filter((one) => one !== "wallet" || hasWallets);
  const tabs = [
    { href: `${PATH}?view=all`, label: t("all"), isCurrent: kind === "all" },
    ...kinds.map((one) => ({ href: hrefWith(PATH, { kind: one }), label: t(one), isCurrent: kind === one })),
    ...(mayExport ? [{ href: `${PATH}/files`, label: t("files"), isCurrent: kind === "files" }] : []),
  ];
  return <ViewTabs label={t("label")} path={PATH} tabs={tabs} search={search} saved={saved} />;
}
