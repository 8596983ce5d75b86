import { readFile } from "node:fs/promises";
import { getTranslations } from "next-intl/server";
import { tenantOf } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import type { Letterhead } from "./document";

const PNG_OR_JPEG = /^(?:89504e47|ffd8ff)/;

async function readLogo(file: string): Promise<Buffer | null> {
  const logo = await readFile(/* turbopackIgnore: true */ file).catch((error: unknown) => {
    log.warn({ file, reason: String(error) }, "a logo could not be read");
    return null;
  });
  return logo !== null && PNG_OR_JPEG.test(logo.toString("hex", 0, 4)) ? logo : null;
}

/** The company that speaks to the holder, from the tenant's settings: at least its name. */
export async function companyOf(tenant: string): Promise<Pick<Letterhead, "name" | "details">> {
  const say = await getTranslations("letterhead");
  const { name, company } = tenantOf(tenant) ?? { name: tenant };
  const { cnpj, customerService } = company ?? {};
  return {
    name: company?.name ?? name,
    details: [
      ...(cnpj === undefined ? [] : [say("cnpj", { cnpj })]),
      ...(customerService === undefined ? [] : [say("customerService", { contact: customerService })]),
    ],
  };
}

export async function letterheadOf(tenant: string): Promise<Letterhead> {
  const logoFile = tenantOf(tenant)?.company?.logoFile;
  return { ...(await companyOf(tenant)), logo: logoFile === undefined ? null : await readLogo(logoFile) };
}

export type CompanySettings = Record<"cnpj" | "customerService", string | null> & {
  name: string;
  /** False when papers carry the tenant's name instead. */
  isNamed: boolean;
  logo: "shown" | "unreadable" | null;
};

/** The company's settings, and which are missing. */
export async function companySettingsOf(tenant: string): Promise<CompanySettings> {
  const { name, company } = tenantOf(tenant) ?? { name: tenant };
  const { cnpj = null, customerService = null, logoFile } = company ?? {};
  const logo = logoFile === undefined ? null : (await readLogo(logoFile)) === null ? "unreadable" : "shown";
  return { name: company?.name ?? name, isNamed: company !== undefined, cnpj, customerService, logo };
}
