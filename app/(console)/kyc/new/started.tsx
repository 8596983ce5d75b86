import { getTranslations } from "next-intl/server";
import { StartedNotice } from "./started-notice";

/** On the case's own screen, where the form leads. */
export async function Started() {
  const t = await getTranslations("kycStart");
  return <StartedNotice said={t("startedDone")} />;
}
