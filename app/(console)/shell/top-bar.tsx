import { Menu } from "lucide-react";
import { useTranslations } from "next-intl";
import { EnvironmentBadge, type Environment } from "@/components/environment-badge";
import { Mark } from "@/components/wordmark";

export const DRAWER_ID = "side-column";

type TopBarProps = { tenant: { name: string; environment: Environment } };

/** On narrow windows: the menu, and where one is working. */
export function TopBar({ tenant }: TopBarProps) {
  const t = useTranslations("shell");
  return (
    <section
      aria-label={t("tenant")}
      className="sticky top-0 z-20 flex h-12 items-center gap-2.5 border-b border-line bg-canvas px-3 desk:hidden"
    >
      <button
        type="button"
        popoverTarget={DRAWER_ID}
        aria-label={t("openMenu")}
        className="grid size-9 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
      >
        <Menu aria-hidden size={18} />
      </button>
      <Mark className="size-5.5" />
      <span className="min-w-0 flex-1 truncate font-medium">{tenant.name}</span>
      <EnvironmentBadge environment={tenant.environment} />
    </section>
  );
}
