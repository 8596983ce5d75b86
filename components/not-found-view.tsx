import { useTranslations } from "next-intl";
import { EmptyView } from "@/components/empty-view";
import { buttonClass } from "@/components/ui/button";

type CompassProps = { size?: number; strokeWidth?: number; className?: string };

// Drawn here, and a plain link: this view comes along with every screen, and would bring the code of both a second time.
function Compass({ size, strokeWidth, className }: CompassProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinejoin="round"
      className={className}
    >
      <circle cx="12" cy="12" r="9.5" />
      <path d="m16 8-1.9 6.1L8 16l1.9-6.1z" />
    </svg>
  );
}

export function NotFoundView() {
  const t = useTranslations("absent");
  return (
    <EmptyView isScreen icon={Compass} title={t("notFoundTitle")} body={t("notFoundBody")}>
      {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- its code would come with every screen a second time */}
      <a href="/" className={buttonClass("plain")}>
        {t("goHome")}
      </a>
    </EmptyView>
  );
}
