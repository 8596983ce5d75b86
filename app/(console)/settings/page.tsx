import { redirect } from "next/navigation";
import { screen } from "@/app/(console)/screen";

/** The settings begin with the first of their areas. */
async function SettingsPage(): Promise<never> {
  redirect("/settings/approvals");
}

export default screen(SettingsPage);
