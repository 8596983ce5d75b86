import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { follow, inspect } from "./support/looks";
import { factOf, idIn, rowWith } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const SUPPORT = "Beatriz Nogueira";

const trail = (page: Page, say: Words) => page.getByRole("table", { name: say("audit.title") });
const lookedUp = (say: Words) => say("audit.codes.accounts.look-up");

/** Looks an account up and returns the reference in its URL. */
async function openAccount(page: Page, say: Words, document: string): Promise<string> {
  await lookUp(page, say, document);
  await page.waitForURL(/\/accounts\/[0-9a-f-]{36}$/);
  return idIn(page.url());
}

test("an auditor finds who looked up a customer; new rows appear only when asked for", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  await provider.openAccount(cpf.digits);
  const support = await signedInAs("support");
  const auditor = await signedInAs("auditor");
  const ref = await openAccount(support, say, cpf.digits);

  await test.step("the record says of itself that it is sound and how far it is signed", async () => {
    await expect(async () => {
      await auditor.goto("/audit");
      await expect(
        auditor.getByText(/(Trilha íntegra até a linha|Audit trail intact up to row) [\d.,]+/),
      ).toBeVisible();
      await expect(auditor.getByText(/(Assinada até a linha|Signed up to row) [\d.,]+/)).toBeVisible();
    }).toPass({ timeout: 60_000 });
  });

  const search = auditor.getByRole("searchbox", { name: say("audit.searchLabel") });
  await search.fill(cpf.typed);
  await auditor.keyboard.press("Enter");
  await auditor.getByRole("button", { name: say("common.searchDocument") }).click();
  await expect(auditor.getByRole("combobox", { name: say("search.label") })).toHaveValue(cpf.typed);
  await auditor.keyboard.press("Escape");
  await search.fill(ref);
  await auditor.keyboard.press("Enter");
  await auditor.waitForURL(`/audit?view=all&search=${ref}`);
  const row = rowWith(trail(auditor, say), [lookedUp(say), SUPPORT, say("audit.outcomes.DONE")]);
  await expect(row).toHaveCount(1);
  await expect(row, "by the number of the account").toContainText(/\d+ \/ \d/);
  await row.getByRole("button").click();
  await expect(factOf(auditor, say("audit.hash"))).toHaveText(/^[0-9a-f]{64}/);
  await inspect(auditor, "a row of the audit trail");
  await expect(auditor.getByText(cpf.digits)).toHaveCount(0);

  await auditor.getByRole("link", { name: say("audit.allByActor", { name: SUPPORT }) }).click();
  await auditor.waitForURL(/actor=/);
  await auditor.getByRole("combobox", { name: say("audit.code") }).selectOption("accounts.look-up");
  await auditor.waitForURL(/code=accounts\.look-up/);
  const rows = trail(auditor, say).locator("tbody tr");
  await expect(rows.filter({ hasNotText: lookedUp(say) })).toHaveCount(0);
  await rows.locator(`a[href="/accounts/${ref}"]`).filter({ visible: true }).first().click();
  await auditor.waitForURL(`/accounts/${ref}`);

  await test.step("while somebody reads", async () => {
    // This account only: other stories look others up meanwhile.
    await auditor.goto(`/audit?code=accounts.look-up&search=${ref}`);
    const lookUps = rowWith(trail(auditor, say), [lookedUp(say)]);
    await expect(lookUps).toHaveCount(1);
    await openAccount(support, say, cpf.digits);
    const show = auditor.getByRole("button", { name: say("audit.newRows", { count: 1 }) });
    await expect(show).toBeVisible({ timeout: 40_000 });
    await expect(lookUps).toHaveCount(1);
    await show.click();
    await expect(lookUps).toHaveCount(2);
    await expect(show).toHaveCount(0);
    await follow(auditor, ["/audit?search=nothing-like-it"]);
  });
});

test(
  "an auditor exports the filtered trail; support is refused; both are audited",
  { tag: "@long" },
  async ({ signedInAs, sessions, browser, product, language, say }) => {
    const auditor = await signedInAs("auditor");
    await auditor.goto("/audit?code=session.open");
    for (const format of ["csv", "json"] as const) {
      const begun = auditor.waitForEvent("download");
      await auditor.getByRole("link", { name: say(`audit.export.${format}`) }).click();
      const file = readFileSync(await (await begun).path(), "utf8");
      expect(file).toContain("session.open");
      expect(file).not.toContain("audit.read");
      if (format === "csv") expect(file.startsWith(`\uFEFF"${say("audit.csv.seq")}"`)).toBe(true);
      else expect(JSON.parse(file)).toContainEqual(expect.objectContaining({ code: "session.open", outcome: "DONE" }));
    }

    await test.step("somebody who may not", async () => {
      const support = await browser.newContext({ baseURL: product.url, storageState: await sessions("support") });
      await support.addCookies([{ name: "locale", value: language, url: product.url }]);
      expect(await (await support.request.get("/audit")).text()).toContain(`>${say("absent.forbiddenTitle")}<`);
      const { id: scope } = z.object({ id: z.string() }).parse(await (await support.request.get("/api/scope")).json());
      for (const address of ["/api/audit/new", "/api/audit/intent?id=x", `/api/exports/audit?scope=${scope}`]) {
        expect((await support.request.get(address)).status(), address).toBe(403);
      }
      await support.close();
    });

    const rowsOf = (code: string) =>
      trail(auditor, say)
        .getByRole("row")
        .filter({ has: auditor.getByTitle(code, { exact: true }) });
    await auditor.goto("/audit?code=audit.export&outcome=DONE");
    await expect(rowsOf("audit.export").first()).toBeVisible();
    await auditor.goto("/audit?outcome=REFUSED");
    const refused = [SUPPORT, say("audit.outcomes.REFUSED")];
    await expect(rowsOf("audit.export").filter({ hasText: SUPPORT }).first()).toBeVisible();
    await expect(rowWith(trail(auditor, say), [...refused, say("audit.refusedVisit")]).first()).toBeVisible();
  },
);
