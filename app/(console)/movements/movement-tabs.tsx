"use client";

import { useLocale, useTranslations } from "next-intl";
import { ViewTabs } from "@/app/(console)/saved-views/save-view";
import { SOURCE_KINDS, type SourceKind } from "@/lib/db/enums/movements";
import type { SavedView } from "@/lib/preferences/queries";
import type { MovementPage } from "@/lib/movements/view";
import { formatCountUpTo } from "@/lib/text/format";
import { countKnown, hrefWith } from "@/lib/text/page";

const PATH = "/movements";

type Counts = NonNullable<MovementPage["counts"]>;

type MovementTabsProps = {
  kind: SourceKind | "all" | "files";
  hasWallets: boolean;
  mayExport: boolean;
  /** Null: not known. */
  counts?: MovementPage["counts"];
  hrefOf?: (kind: SourceKind | undefined) => string;
  search?: string;
  saved?: readonly SavedView[];
};

const plainHref = (kind: SourceKind | undefined) => hrefWith(PATH, kind === undefined ? { view: "all" } : { kind });

/** The list by kind, the reader's views of it, and the files. */
export function MovementTabs({
  kind,
  hasWallets,
  mayExport,
  counts = null,
  hrefOf = plainHref,
  ...views
}: MovementTabsProps) {
  const t = useTranslations("movements.views");
  const locale = useLocale();
  const { search = "", saved = [] } = views;
  const counted = (...of: readonly (Counts[SourceKind] | undefined)[]) => {
    const known = of.filter((one) => one !== undefined);
    const count = known.reduce((all, one) => all + one.count, 0);
    const least = known.find(({ asOf }) => asOf === null) ?? known[0];
    return least === undefined ? undefined : countKnown(formatCountUpTo(count, locale), count, least);
  };
  const kinds = SOURCE_KINDS.filter((one) => one !== "wallet" || hasWallets);
  const tabs = [
    {
      href: hrefOf(undefined),
      label: t("all"),
      count: counted(...kinds.map((one) => counts?.[one])),
      isCurrent: kind === "all",
    },
    ...kinds.map((one) => ({
      href: hrefOf(one),
      label: t(one),
      count: counted(counts?.[one]),
      isCurrent: kind === one,
    })),
    ...(mayExport ? [{ href: `${PATH}/files`, label: t("files"), isCurrent: kind === "files" }] : []),
  ];
  return <ViewTabs label={t("label")} path={PATH} tabs={tabs} search={search} saved={saved} />;
}
