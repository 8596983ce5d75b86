import { getTranslations } from "next-intl/server";
import { ProviderText } from "@/components/provider-text";
import { getStatus } from "@/lib/accounts/queries";

/** How the account stands by the provider's own record, in its word where that is none of the known ones. */
export async function ProviderStatus({ accountRef }: { accountRef: string }) {
  const [status, t] = await Promise.all([getStatus(accountRef), getTranslations("accounts.providerStatus")]);
  if (status === null) return <span>{t("unread")}</span>;
  const { word, standing } = status;
  if (standing !== "UNTOLD") return <span>{t("told", { status: t(standing) })}</span>;
  if (word === "") return <span>{t("untold")}</span>;
  return (
    <span>
      {t("label")} <ProviderText text={word} />
    </span>
  );
}
