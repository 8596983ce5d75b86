import { z } from "zod";
import { SettingError } from "@/lib/setting";

const Secret = z.string().min(1).optional();

export const WEBHOOK_SETTINGS = { BANK_WEBHOOK_SECRET: Secret, BANK_WEBHOOK_SECRET_PREVIOUS: Secret };

type Given = { BANK_WEBHOOK_SECRET?: string | undefined; BANK_WEBHOOK_SECRET_PREVIOUS?: string | undefined };

/** The secrets that a delivery may be signed with, the one in force first. Throws `SettingError` for a previous one alone. */
export function webhookSecretsOf({
  BANK_WEBHOOK_SECRET: secret,
  BANK_WEBHOOK_SECRET_PREVIOUS: previous,
}: Given): string[] {
  if (secret === undefined && previous !== undefined)
    throw new SettingError("BANK_WEBHOOK_SECRET_PREVIOUS: is set without BANK_WEBHOOK_SECRET");
  return [secret ?? [], previous ?? []].flat();
}
