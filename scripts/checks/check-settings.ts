import { checkEnv } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import { readSettings, SettingsError } from "@/service/settings";
import { Refusal, runProgram } from "@/scripts/program.mjs";

export function checkSettings(environment: Record<string, string | undefined>): void {
  try {
    checkEnv(environment);
    if (!environment["BANK_BASE_URL"] && !environment["TENANTS_FILE"]) readSettings(environment);
  } catch (error) {
    if (error instanceof SettingError || error instanceof SettingsError) throw new Refusal(error.message);
    throw error;
  }
}

await runProgram(import.meta.url, async () => checkSettings(process.env));
