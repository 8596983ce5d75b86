import { getTranslations } from "next-intl/server";
import { DoneNotice } from "@/components/layout/confirmation";

/** On the onboarding's own screen, where the form leads. */
export async function Created() {
  const t = await getTranslations("accountForm");
  return <DoneNotice said={t("created")} />;
}
