import { getTranslations } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";

export async function Created() {
  const t = await getTranslations("accountForm");
  return <DoneNotice said={t("created")} />;
}
