import { getTranslations } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";

/** On the case's own screen, where the form leads. */
export async function Started() {
  const t = await getTranslations("kycStart");
  return <DoneNotice said={t("startedDone")} />;
}
