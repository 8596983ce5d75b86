import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icons";

export function SidePanel() {
  const t = useTranslations("signIn");
  const points = [
    { icon: "shield-check", text: t("sideKyc") },
    { icon: "landmark", text: t("sideAccounts") },
    { icon: "purse", text: t("sideWallets") },
  ] as const;
  return (
    <aside className="relative hidden overflow-hidden bg-panel text-panel-ink wide:flex wide:flex-col wide:justify-end">
      <svg viewBox="0 0 24 24" aria-hidden className="absolute -top-[8%] -right-[16%] h-[92%] fill-panel-raised">
        <path d="M6.5 5.5h3v13h-3zM10.75 5.5h2.6a4.15 4.15 0 0 1 0 8.3h-2.6zM11.2 15.05h3.7l2.9 3.45h-3.75z" />
      </svg>
      <div className="relative max-w-lg p-12">
        <h2 className="text-2xl font-semibold">{t("sideTitle")}</h2>
        <ul className="mt-6 space-y-3">
          {points.map(({ icon, text }) => (
            <li key={text} className="flex gap-3 text-panel-muted">
              <Icon of={icon} size={18} strokeWidth={1.6} className="mt-px shrink-0 text-panel-ink" />
              {text}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
