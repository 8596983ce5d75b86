import { useTranslations } from "next-intl";
import Link from "next/link";

/** From what was sent back to the request from which it came; nothing where there is none, or none for the reader. */
export function RequestLink({ id }: { id: string | null }) {
  const t = useTranslations("approvals");
  if (id === null) return null;
  return (
    <Link href={`/approvals/${id}`} prefetch={false} className="text-accent hover:underline">
      {t("seeRequest")}
    </Link>
  );
}
