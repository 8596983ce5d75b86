import { getOwnAbsence } from "@/lib/kyc/queries";
import { AwayNotice } from "./away-button";

export async function AwayReminder({ permissions }: { permissions: readonly string[] }) {
  if (!permissions.includes("kyc:assign")) return null;
  const { until } = await getOwnAbsence();
  return until === null ? null : <AwayNotice until={until} />;
}
