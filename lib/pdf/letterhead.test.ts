import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Company } from "@/lib/settings/tenants-file";
import { givenEnv } from "@/test/support/console";
import { companySettingsOf } from "./letterhead";

function givenCompany(company: Company): void {
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [{ ...aurora, company }] });
}

function logoOf(bytes: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "logo-")), "logo.png");
  writeFileSync(file, Buffer.from(bytes, "hex"));
  return file;
}

describe("the company of the settings", () => {
  it("falls back to the tenant's name for the company", async () => {
    givenEnv();
    const nothing = { cnpj: null, customerService: null, logo: null };
    expect(await companySettingsOf("aurora")).toEqual({ name: "Aurora", isNamed: false, ...nothing });
  });

  it("gives each company field that is set, and null for the others", async () => {
    givenCompany({ name: "Aurora S.A.", cnpj: "11.444.777/0001-61", logoFile: logoOf("89504e470d0a1a0a") });
    expect(await companySettingsOf("aurora")).toEqual({
      name: "Aurora S.A.",
      isNamed: true,
      cnpj: "11.444.777/0001-61",
      customerService: null,
      logo: "shown",
    });
  });

  it.each([
    ["is no image", () => logoOf("3c737667")],
    ["is not there", () => join(tmpdir(), "no-such-logo.png")],
  ])("reports a logo that %s", async (_why, fileOf) => {
    givenCompany({ name: "Aurora S.A.", logoFile: fileOf() });
    expect(await companySettingsOf("aurora")).toMatchObject({ logo: "unreadable" });
  });
});
