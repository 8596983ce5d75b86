import { spawnSync } from "node:child_process";
import { demoEmail, expect, test } from "./support/story";

// Elsewhere a story may have made somebody else an admin, too.
test.use({ ownProduct: { SERVICE_DEMO_DATA: "false" } });

test("the last admin stays, though the command line asks for it while the console runs", async ({ product }) => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--conditions=react-server", "--import", "tsx", "scripts/ops/staff.ts", ...args], {
      env: { ...process.env, DATABASE_URL: "", BANK_BASE_URL: "", TENANTS_FILE: "", ...product.home },
      encoding: "utf8",
    });
  expect(run("disable", "admin2@retaguarda.demo").stderr).toBe("");
  const refused = run("roles", demoEmail("admin"), "--role", "support", "--tenant", "all");
  expect(refused.stderr).toContain("that is the last admin of a tenant: make somebody else one first");
  expect(refused.status).toBe(1);
  expect(run("list").stdout).toMatch(new RegExp(`${demoEmail("admin")} .* admin +active`));
});
