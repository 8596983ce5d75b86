import { useTranslations } from "next-intl";
import Link from "next/link";
import { EnvironmentBadge } from "@/components/environment-badge";
import { Wordmark } from "@/components/wordmark";
import type { Permission, Role } from "@/lib/auth/permission";
import { cn } from "@/lib/cn";
import type { ProviderStanding } from "@/lib/provider/queries";
import type { Theme } from "@/lib/theme";
import { Navigation } from "./navigation";
import { PersonMenu } from "./person-menu";
import { ProviderMeter } from "./provider-meter";
import type { Place } from "./tenant-choice";
import { TenantPlace } from "./tenant-place";
import { DRAWER_ID } from "./top-bar";

type SideColumnProps = {
  desk: {
    person: { name: string; email: string; roles: readonly Role[] };
    tenant: Place;
    tenants: readonly Place[];
    permissions: readonly Permission[];
  };
  theme: Theme;
  standing: ProviderStanding;
};

const PLACE = "rounded border border-line px-2.5 py-2";

/** One column for both widths: a drawer on narrow windows, beside the screen on wide ones. */
export function SideColumn({ desk, theme, standing }: SideColumnProps) {
  const t = useTranslations("shell");
  const place = (
    <span className="block min-w-0 flex-1">
      <span className="mb-1.5 block truncate text-sm font-medium" title={desk.tenant.name}>
        {desk.tenant.name}
      </span>
      <EnvironmentBadge environment={desk.tenant.environment} />
    </span>
  );
  return (
    <header id={DRAWER_ID} popover="auto" className="side-column z-30 flex-col bg-canvas text-ink">
      <div className="px-5 pt-4.5 pb-3">
        <Link href="/" prefetch={false} className="inline-flex">
          <Wordmark />
        </Link>
      </div>
      <div className="mx-2.5 mb-2">
        <p className="sr-only">{t("tenant")}</p>
        {desk.tenants.length === 1 ? (
          <div className={PLACE}>{place}</div>
        ) : (
          <TenantPlace
            current={desk.tenant}
            places={desk.tenants}
            className={cn(PLACE, "flex w-full")}
            panelClassName="top-33 left-2.5 w-72"
          >
            {place}
          </TenantPlace>
        )}
      </div>
      <Navigation permissions={desk.permissions} />
      <ProviderMeter initial={standing} />
      <PersonMenu person={desk.person} theme={theme} />
    </header>
  );
}
