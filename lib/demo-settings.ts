import { z } from "zod";

/** Whether the provider is the embedded service, and has the demo's people in it. */
export const DEMO_SETTINGS = {
  /** The service's own setting, which `npm start` gives to both. */
  SERVICE_DEMO_DATA: z.enum(["true", "false"], { error: "must be true or false" }).default("true"),
};

export type DemoSettings = {
  /** The provider is the embedded service: demo staff may sign in. */
  isEmbedded: boolean;
  hasDemoData: boolean;
};

type Given = { BANK_BASE_URL?: string | undefined; TENANTS_FILE?: string | undefined; SERVICE_DEMO_DATA: string };

export function demoSettingsOf({ BANK_BASE_URL, TENANTS_FILE, SERVICE_DEMO_DATA }: Given): DemoSettings {
  const isEmbedded = BANK_BASE_URL === undefined && TENANTS_FILE === undefined;
  return { isEmbedded, hasDemoData: isEmbedded && SERVICE_DEMO_DATA === "true" };
}
