import { Icon } from "@/components/ui/icons";
import { useTranslations } from "next-intl";
import { EnvironmentBadge } from "@/components/layout/badges";
import { Mark } from "@/components/layout/wordmark";
import type { ProviderStanding } from "@/lib/calls/queries";
import { SilenceBar } from "./provider-meter";
import { SearchButton } from "./search";
import type { TenantOption } from "./tenant-menu";
import { TenantSlot } from "./menus";

export const DRAWER_ID = "side-column";

type TopBarProps = { tenant: TenantOption; tenants: readonly TenantOption[]; standing: ProviderStanding };

export function TopBar({ tenant, tenants, standing }: TopBarProps) {
  const t = useTranslations("shell");
  const name = <span className="line-clamp-2 min-w-0 flex-1 leading-tight font-medium">{tenant.name}</span>;
  const badge = <EnvironmentBadge environment={tenant.environment} />;
  return (
    <section data-screen-only aria-label={t("bar")} className="sticky top-0 z-20 bg-canvas wide:hidden">
      <div className="flex h-12 items-center gap-2.5 border-b border-line px-3">
        <button
          type="button"
          popoverTarget={DRAWER_ID}
          aria-label={t("openMenu")}
          className="grid size-9 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
        >
          <Icon of="menu" size={18} />
        </button>
        <Mark className="size-5.5" />
        {tenants.length === 1 ? (
          <>
            {name}
            {badge}
          </>
        ) : (
          <TenantSlot
            current={tenant}
            options={tenants}
            className="flex min-w-0 flex-1 rounded px-1.5 py-1.5"
            panelClassName="top-13 right-2 w-[min(20rem,calc(100vw-1rem))]"
          >
            {name}
            {badge}
          </TenantSlot>
        )}
        <SearchButton isIcon />
      </div>
      <SilenceBar initial={standing} />
    </section>
  );
}
