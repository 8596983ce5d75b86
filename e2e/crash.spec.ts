import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillDecision } from "./support/decide";
import { inventCpf } from "./support/invent";
import { startProduct } from "./support/product";
import { factOf, untilSeen } from "./support/sight";
import { expect, openSession, providerOf, test } from "./support/story";

/** A product that can restart on its kept data. */
function keepingData() {
  const dataDir = mkdtempSync(join(tmpdir(), "retaguarda-kept-"));
  const settings = { DATA_DIR: dataDir, SERVICE_DEMO_DATA: "false", WATCH_INTERVAL_SECONDS: "1" };
  return {
    dataDir,
    settings,
    start: () => startProduct(settings),
    remove: () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** The process that holds a data directory. */
const holderOf = (directory: string) => Number.parseInt(readFileSync(join(directory, "lock"), "utf8"), 10);

test(
  "a second process on the same data is refused; acknowledged writes survive a kill",
  { tag: "@long" },
  async ({ browser, language, say }) => {
    test.slow();
    const stored = keepingData();
    const first = await stored.start();
    const provider = providerOf(first);
    await test.step("a second process, whichever provider it would be of", async () => {
      const { clientId, clientSecret } = provider;
      const elsewhere = { BANK_BASE_URL: first.serviceUrl, BANK_CLIENT_ID: clientId, BANK_CLIENT_SECRET: clientSecret };
      const refusal = `running here already (process ${first.pid})`;
      await Promise.all(
        [{}, elsewhere].map((other) => expect(startProduct({ ...stored.settings, ...other })).rejects.toThrow(refusal)),
      );
    });
    const account = await provider.openAccount(inventCpf().digits);
    const kycUUID = await provider.openCase(inventCpf().digits);
    const other = await provider.openCase(inventCpf().digits);
    await provider.decideCase(other, "REPROVED");
    const session = await openSession(browser, { url: first.url, role: "compliance", language });
    const window = await browser.newContext({ baseURL: first.url, storageState: session });
    const page = await window.newPage();
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto(`/kyc/${kycUUID}`);
    await page.getByRole("button", { name: say("kyc.decide") }).click();
    const dialog = page.getByRole("dialog");
    await fillDecision(dialog, say, { addition: "Antes da queda." });
    await dialog.getByRole("button", { name: say("kyc.submitApprove") }).click();
    await expect(dialog).toBeHidden();

    const acknowledged: string[] = [];
    const credits = Array.from({ length: 40 }, async (_, index) => {
      const id = await provider.credit(account, { amount: "1.00" });
      acknowledged.push(id);
      if (index !== 12) return;
      for (const name of ["console", "service"]) process.kill(holderOf(join(stored.dataDir, name)), "SIGKILL");
    });
    await Promise.allSettled(credits);
    await first.stop();
    await window.close();
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(credits.length);

    const second = await stored.start();
    const after = providerOf(second);
    const entries = await after.statement(account);
    expect(entries.map(({ transactionId }) => transactionId)).toEqual(expect.arrayContaining(acknowledged));
    expect((await after.balance(account)).balance).toBe(`${entries.length}.00`);
    expect(await after.ledger()).toMatchObject({ balanced: true });
    expect(await after.caseStatus(other)).toBe("REPROVED");
    expect(await after.caseStatus(kycUUID)).toBe("APPROVED");
    const again = await browser.newContext({ baseURL: second.url, storageState: session });
    const back = await again.newPage();
    await back.goto(`/kyc/${kycUUID}`);
    await expect(factOf(back, say("kyc.columns.status"))).toHaveText(say("kyc.status.APPROVED"));
    const decisions = back.getByRole("region", { name: say("kycCase.decisions") });
    await expect(decisions.getByRole("listitem")).toHaveCount(1);
    await expect(decisions.getByText("Antes da queda.")).toBeVisible();
    await expect(decisions.getByText(say("kycCase.outcome.DONE"))).toBeVisible();
    await again.close();
    await second.stop();
    stored.remove();
  },
);
