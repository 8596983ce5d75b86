import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Tenant = { clientSecret: string; webhook: { url: string; secret: string; events: string[] } | null };

/** Writes a tenants file with one tenant of these particulars and returns its path. */
export function tenantsFile(particulars: Partial<Tenant> = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), "retaguarda-tenants-")), "tenants.json");
  const tenant = {
    clientId: "boreal",
    clientSecret: randomBytes(24).toString("base64url"),
    name: "Boreal Pagamentos",
    enabledProducts: ["BANKING", "CRYPTO", "KYC"],
    allowedOperations: null,
    billingStatus: "ACTIVE",
    webhook: null,
    ...particulars,
  };
  writeFileSync(file, JSON.stringify({ tenants: [tenant] }), { mode: 0o600 });
  return file;
}
