import { useTranslations } from "next-intl";
import { StepLinks } from "./step-links";

type NeighbourLinksProps = { newer: string | null; older: string | null };

/** Where a list by time goes on; an end stays in place, marked as such, and with nothing on either side there is nothing. */
export function NeighbourLinks({ newer, older }: NeighbourLinksProps) {
  const t = useTranslations("states");
  if (newer === null && older === null) return null;
  const steps = [
    { href: newer, label: t("newer") },
    { href: older, label: t("older") },
  ];
  return (
    <nav aria-label={t("pages")} className="flex h-12 items-center justify-end gap-2 px-5">
      <StepLinks steps={steps} />
    </nav>
  );
}
