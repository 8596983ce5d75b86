import { redirect } from "next/navigation";
import { screen } from "@/app/(console)/screen";

async function SettingsPage(): Promise<never> {
  redirect("/settings/approvals");
}

export default screen("app/(console)/settings/page", SettingsPage);
