import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { noteShown } from "./support/canary";
import { type Invented, inventCpf } from "./support/invent";
import { lookUp } from "./support/look-up";
import { expectRow, sectionOf, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const NOTE = "Protocolo 8731: o titular confirmou o número";

async function reveal(page: Page, say: Words, { typed, masked }: Invented): Promise<void> {
  noteShown("document", typed);
  await page.getByRole("button", { name: say("privacy.revealNamed", { document: masked }) }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("privacy.reasons.service")).check();
  await dialog.getByLabel(say("privacy.note")).fill(NOTE);
  await dialog.getByRole("button", { name: say("privacy.submit") }).click();
  await expect(dialog).toBeHidden();
}

/** Everything that a browser stores of a page, and its URL and title. */
const storedBy = (page: Page) =>
  page.evaluate(async () => {
    const stored = [
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
      await caches.keys(),
    ];
    return JSON.stringify([location.href, document.title, document.cookie, history.state, stored]);
  });

test("support reveals a document for a minute, and an auditor sees who and why", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const cpf = inventCpf();
  const other = inventCpf();
  const account = await provider.openAccount(cpf.digits);
  await provider.credit(account, { amount: "10.00", description: `Recebido de ${other.typed}` });
  const page = await signedInAs("support");
  await page.clock.install();
  await lookUp(page, say, cpf.typed);
  await expect(page.getByText(cpf.masked).first()).toBeVisible();

  await test.step("a document in what the provider writes is masked", async () => {
    const statement = page.getByRole("table", { name: say("accounts.statement") });
    await expectRow(statement, [`Recebido de ${other.masked}`]);
    expect(await page.content()).not.toContain(other.typed);
  });

  await test.step("shown for a minute", async () => {
    await page.getByRole("button", { name: say("privacy.revealNamed", { document: cpf.masked }) }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: say("privacy.submit") }).click();
    await expect(dialog.getByText(say("privacy.reasonFirst"))).toBeVisible();
    await dialog.getByLabel(say("privacy.reasons.fraud")).check();
    await dialog.getByLabel(say("privacy.note")).fill("curto");
    await dialog.getByRole("button", { name: say("privacy.submit") }).click();
    await expect(dialog.getByText(say("privacy.noteFirst", { minimum: 10 }))).toBeVisible();
    expect(await page.content()).not.toContain(cpf.typed);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: say("discard.discard") }).click();

    await reveal(page, say, cpf);
    await expect(page.getByText(cpf.typed)).toBeVisible();
    const stored = await storedBy(page);
    for (const clear of [cpf.typed, cpf.digits]) expect(stored).not.toContain(clear);
    await page.clock.runFor(61_000);
    await expect(page.getByText(cpf.typed)).toBeHidden();
    await expect(page.getByText(cpf.masked).first()).toBeVisible();
  });

  await test.step("gone once it is hidden, and after a reload", async () => {
    const again = page.getByRole("button", { name: say("privacy.revealNamed", { document: cpf.masked }) });
    noteShown("document", cpf.typed);
    await again.click();
    await expect(page.getByText(cpf.typed), "by the reason that opened the record").toBeVisible();
    await page.getByRole("button", { name: say("privacy.hide") }).click();
    expect(await page.content()).not.toContain(cpf.typed);
    noteShown("document", cpf.typed);
    await again.click();
    await expect(page.getByText(cpf.typed)).toBeVisible();
    await page.reload();
    await expect(page.getByText(cpf.masked).first()).toBeVisible();
    expect(await page.content()).not.toContain(cpf.typed);
    await expect(page.getByRole("region", { name: say("privacy.looks") })).toHaveCount(0);
  });

  await test.step("no answer about anybody is kept on its way to the screen", async () => {
    const record = new URL(page.url()).pathname;
    for (const path of ["/", "/kyc", "/onboarding", "/accounts", record, "/nowhere", "/sign-in"]) {
      for (const headers of [{}, { RSC: "1" }]) {
        const answer = await page.request.get(path, { headers });
        expect(answer.headers()["cache-control"], path).toContain("no-store");
      }
    }
    for (const path of ["/api/kyc", "/api/onboarding", "/api/provider", "/api/scope", `/api${record}/balance`]) {
      expect((await page.request.get(path)).headers()["cache-control"], path).toContain("no-store");
    }
  });

  await test.step("who may not see it is told who may", async () => {
    const finance = await signedInAs("finance");
    await finance.goto(new URL(page.url()).pathname);
    await expect(finance.getByText(/•••/).first()).toBeVisible();
    await expect(finance.getByRole("button", { name: say("privacy.reveal") })).toHaveCount(1);
    const button = finance.getByRole("button", { name: say("privacy.reveal"), exact: true });
    await button.focus();
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await expect(finance.getByRole("tooltip").filter({ hasText: say("roles.compliance") })).toBeVisible();
  });

  await test.step("who looked and why, on the screen and as a file", async () => {
    const auditor = await signedInAs("auditor");
    await auditor.goto(new URL(page.url()).pathname);
    const accesses = auditor.getByRole("region", { name: say("privacy.looks") });
    const shown = accesses
      .getByRole("listitem")
      .filter({ hasText: say("audit.codes.personal-data.reveal") })
      .first();
    await expect(shown).toContainText(`${say("privacy.reasons.service")}: ${NOTE}`);
    await expect(accesses.getByText(say("audit.codes.customer.view")).first()).toBeVisible();
    await accesses.getByRole("link", { name: say("accounts.presets.7") }).click();
    await expect(auditor).toHaveURL(/seenFrom=/);
    await expect(accesses).toContainText(say("privacy.looksFile", { of: "period" }));
    await accesses.getByRole("link", { name: say("privacy.seenAll") }).click();
    await expect(accesses).toContainText(say("privacy.looksFile", { of: "all" }));
    await expect(auditor).not.toHaveURL(/seenFrom=/);
    await expect(shown).toBeVisible();
    const [file] = await Promise.all([
      auditor.waitForEvent("download"),
      accesses.getByRole("link", { name: say("privacy.exportLooks") }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8");
    expect(lines).toContain(NOTE);
    for (const clear of [cpf.typed, cpf.digits]) expect(lines + file.suggestedFilename()).not.toContain(clear);
  });
});

test(
  "compliance sees each access to a case, but no other records and no file",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const kycUUID = await provider.openCase(inventCpf().digits);
    const support = await signedInAs("support", { scripts: false });
    await untilSeen(support, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await support.goto(`/kyc/${kycUUID}`);
    await expect(support.locator("h2", { hasText: say("kycTimeline.title") })).toHaveCount(1);
    await expect(sectionOf(support, "looks")).toHaveCount(0);
    const compliance = await signedInAs("compliance", { scripts: false });
    await compliance.goto(`/kyc/${kycUUID}`);
    const accesses = sectionOf(compliance, "looks");
    await expect(accesses).toContainText(say("privacy.looksOfCaseAlone"));
    await expect(accesses).toContainText(say("audit.codes.customer.view"));
    await expect(accesses.locator("a", { hasText: say("privacy.exportLooks") })).toHaveCount(0);
  },
);

test(
  "an admin sees the company facts on documents and what is not set",
  { tag: "@long" },
  async ({ signedInAs, say }) => {
    const admin = await signedInAs("admin", { scripts: false });
    await admin.goto("/settings/company");
    await expect(admin.getByRole("heading", { name: say("companySettings.title") })).toBeVisible();
    await expect(admin.getByText(say("companySettings.papers.statement"))).toBeVisible();
    await expect(admin.getByText(say("companySettings.nameMissing"))).toBeVisible();
    const support = await signedInAs("support", { scripts: false });
    await support.goto("/settings/company");
    await expect(support.getByText(say("absent.forbiddenTitle"))).toBeVisible();
  },
);

test("only an admin sees what is kept and for how long", { tag: "@long" }, async ({ signedInAs, say }) => {
  const admin = await signedInAs("admin", { scripts: false });
  await admin.goto("/settings/data");
  const table = admin.getByRole("table", { name: say("retention.title") });
  await expectRow(table, [say("retention.classes.audit.name"), say("retention.forGood")]);
  await expectRow(table, [say("retention.classes.kyc.name"), say("retention.years", { years: 10 })]);
  const support = await signedInAs("support", { scripts: false });
  await support.goto("/settings/data");
  await expect(support.getByText(say("absent.forbiddenTitle"))).toBeVisible();
});
