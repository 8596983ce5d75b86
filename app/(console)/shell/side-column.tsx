import { useTranslations } from "next-intl";
import Link from "next/link";
import { EnvironmentBadge, type Environment } from "@/components/environment-badge";
import { Wordmark } from "@/components/wordmark";
import type { Permission, Role } from "@/lib/auth/permission";
import type { Theme } from "@/lib/theme";
import { Navigation } from "./navigation";
import { PersonMenu } from "./person-menu";
import { DRAWER_ID } from "./top-bar";

type SideColumnProps = {
  desk: {
    person: { name: string; email: string; roles: readonly Role[] };
    tenant: { name: string; environment: Environment };
    permissions: readonly Permission[];
  };
  theme: Theme;
};

/** One column for both widths: a drawer on narrow windows, beside the screen on wide ones. */
export function SideColumn({ desk, theme }: SideColumnProps) {
  const t = useTranslations("shell");
  return (
    <header id={DRAWER_ID} popover="auto" className="side-column z-30 flex-col bg-canvas text-ink">
      <div className="px-5 pt-4.5 pb-3">
        <Link href="/" prefetch={false} className="inline-flex">
          <Wordmark />
        </Link>
      </div>
      <div className="mx-2.5 mb-2 rounded border border-line px-2.5 py-2">
        <p className="sr-only">{t("tenant")}</p>
        <p className="mb-1.5 truncate text-sm font-medium" title={desk.tenant.name}>
          {desk.tenant.name}
        </p>
        <EnvironmentBadge environment={desk.tenant.environment} />
      </div>
      <Navigation permissions={desk.permissions} />
      <PersonMenu person={desk.person} theme={theme} />
    </header>
  );
}
