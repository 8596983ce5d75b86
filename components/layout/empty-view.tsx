import { Icon, type IconName } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";

type EmptyViewProps = {
  icon: IconName;
  title: string;
  body: string;
  isScreen?: boolean;
  children?: ReactNode;
};

export function EmptyView({ icon, title, body, isScreen = false, children }: EmptyViewProps) {
  const Heading = isScreen ? "h1" : "h2";
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <Icon of={icon} size={22} strokeWidth={1.5} className="text-faint" />
      <Heading className="mt-3 font-semibold">{title}</Heading>
      <p className="mt-1 max-w-md text-muted">{body}</p>
      {children ? <div className="mt-4">{children}</div> : null}
    </div>
  );
}

type EmptyFilterViewProps = {
  icon: IconName;
  href: string;
  title?: string | undefined;
  body?: string | undefined;
  onClear?: () => void;
};

export function EmptyFilterView({ icon, href, title, body, onClear }: EmptyFilterViewProps) {
  const t = useTranslations("states");
  return (
    <EmptyView icon={icon} title={title ?? t("emptyFilter")} body={body ?? t("emptyFilterBody")}>
      <Link href={href} prefetch={false} {...(onClear && { onClick: onClear })} className={buttonClass("plain")}>
        {t("clearFilter")}
      </Link>
    </EmptyView>
  );
}

type NoRowsProps = {
  icon: IconName;
  isFiltered: boolean;
  plainHref: string;
  title: string;
  body: string;
  filteredTitle?: string | undefined;
  filteredBody?: string | undefined;
};

export function NoRows({ icon, isFiltered, plainHref, filteredTitle, filteredBody, ...words }: NoRowsProps) {
  if (isFiltered) return <EmptyFilterView icon={icon} href={plainHref} title={filteredTitle} body={filteredBody} />;
  return <EmptyView icon={icon} {...words} />;
}

export function NotFoundView() {
  const t = useTranslations("absent");
  return (
    <EmptyView isScreen icon="compass" title={t("notFoundTitle")} body={t("notFoundBody")}>
      <Link href="/" prefetch={false} className={buttonClass("plain")}>
        {t("goHome")}
      </Link>
    </EmptyView>
  );
}
