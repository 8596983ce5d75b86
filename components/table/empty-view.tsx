import { Compass, type LucideIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ComponentType, ReactNode } from "react";
import { buttonClass } from "@/components/ui/button";

type Icon = ComponentType<{ "aria-hidden"?: boolean; size?: number; strokeWidth?: number; className?: string }>;

type EmptyViewProps = {
  icon: Icon;
  title: string;
  body: string;
  isScreen?: boolean;
  children?: ReactNode;
};

export function EmptyView({ icon: Icon, title, body, isScreen = false, children }: EmptyViewProps) {
  const Heading = isScreen ? "h1" : "h2";
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <Icon aria-hidden size={22} strokeWidth={1.5} className="text-faint" />
      <Heading className="mt-3 font-semibold">{title}</Heading>
      <p className="mt-1 max-w-md text-muted">{body}</p>
      {children ? <div className="mt-4">{children}</div> : null}
    </div>
  );
}

export function EmptyFilterView({ icon, href }: { icon: LucideIcon; href: string }) {
  const t = useTranslations("states");
  return (
    <EmptyView icon={icon} title={t("emptyFilter")} body={t("emptyFilterBody")}>
      <Link href={href} prefetch={false} className={buttonClass("plain")}>
        {t("clearFilter")}
      </Link>
    </EmptyView>
  );
}

export function NotFoundView() {
  const t = useTranslations("absent");
  return (
    <EmptyView isScreen icon={Compass} title={t("notFoundTitle")} body={t("notFoundBody")}>
      <Link href="/" prefetch={false} className={buttonClass("plain")}>
        {t("goHome")}
      </Link>
    </EmptyView>
  );
}
