import { getTranslations } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";

export async function Started() {
  const t = await getTranslations("kycStart");
  return <DoneNotice said={t("startedDone")} />;
}
