import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Tenant = {
  clientId: string;
  clientSecret: string;
  name: string;
  enabledProducts: readonly string[];
  /** Null allows all. */
  allowedOperations: readonly string[] | null;
  billingStatus: string;
  webhook: { url: string; secret: string; events: string[] } | null;
};

/** Writes a tenants file with one tenant for each of these settings and returns its path. */
export function tenantsFile(...particulars: Partial<Tenant>[]): string {
  const file = join(mkdtempSync(join(tmpdir(), "retaguarda-tenants-")), "tenants.json");
  const tenants = particulars.map((wanted) => ({
    clientId: "boreal",
    clientSecret: randomBytes(24).toString("base64url"),
    name: "Boreal Pagamentos",
    enabledProducts: ["BANKING", "CRYPTO", "KYC"],
    allowedOperations: null,
    billingStatus: "ACTIVE",
    webhook: null,
    ...wanted,
  }));
  writeFileSync(file, JSON.stringify({ tenants }), { mode: 0o600 });
  return file;
}
