import { useTranslations } from "next-intl";
import Link from "next/link";

/** Links from a sent write to its request; nothing without one or without permission. */
export function RequestLink({ id }: { id: string | null }) {
  const t = useTranslations("approvals");
  if (id === null) return null;
  return (
    <Link href={`/approvals/${id}`} prefetch={false} className="text-accent hover:underline">
      {t("seeRequest")}
    </Link>
  );
}
