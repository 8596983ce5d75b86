import type { Page } from "@playwright/test";
import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import { inventCnpj, inventCpf } from "./support/invent";
import { readPage, textsOf } from "./support/markup";
import { isAction } from "./support/server-action";
import { idIn } from "./support/sight";
import { field, fillIndividual, INDIVIDUAL } from "./support/start-form";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

const saved = (page: Page, say: Words) => page.getByText(say("draft.saved", { time: "@" }).split("@")[0] ?? "");

/** Counts start requests: none may leave before the form is valid. */
function countWrites(page: Page): () => number {
  let writes = 0;
  page.on("request", (request) => {
    if (isAction(request) && /"intentId":/.test(request.postData() ?? "")) writes += 1;
  });
  return () => writes;
}

test("an analyst starts a case once; a second one asks to confirm the cost", async ({ signedInAs, provider, say }) => {
  test.slow();
  const cpf = inventCpf();
  const page = await signedInAs("compliance");
  await page.goto("/kyc");
  await page.getByRole("link", { name: say("kycStart.button") }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("kycStart.title") })).toBeVisible();
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  const summary = page.locator("[data-wrong-fields]");
  await expect(summary).toBeFocused();
  await expect(field(page, "name")).toHaveAccessibleDescription(new RegExp(say("fields.required")));
  await page.getByRole("radio", { name: say("kycStart.models.COMPLETE.name") }).check();
  await fillIndividual(page, { ...INDIVIDUAL, vatNumber: "52998224724", name: "Maria 2" });
  await field(page, "motherName").focus();
  await expect(field(page, "vatNumber"), "said as it is left").toHaveAccessibleDescription(say("fields.cpf"));
  await expect(field(page, "motherName"), "a mark takes nobody away").toBeFocused();
  await expect(field(page, "birthDate")).toHaveValue("07/09/1984");
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  await expect(summary).toBeFocused();
  await expect(field(page, "vatNumber")).toHaveAccessibleDescription(say("fields.cpf"));
  await expect(field(page, "name")).toHaveAccessibleDescription(new RegExp(say("fields.name")));
  await expectAccessible(page, "the form with its fields marked");
  await page.getByRole("button", { name: say("kycStart.name"), exact: true }).click();
  await expect(field(page, "name"), "the summary leads there").toBeFocused();

  await field(page, "vatNumber").fill(cpf.digits);
  await field(page, "name").fill("Maria Aparecida dos Santos");
  await expect(field(page, "vatNumber")).toHaveValue(cpf.typed);
  await expect(saved(page, say)).toBeVisible();
  await page.reload();
  await expect(field(page, "name")).toHaveValue("Maria Aparecida dos Santos");
  await expect(page.getByText(say("draft.restored", { time: "@" }).split("@")[0] ?? "")).toBeVisible();
  const stored = await page.evaluate(() => [localStorage, sessionStorage].map((one) => JSON.stringify(one)).join(""));
  expect(stored).not.toMatch(/Maria|Josefa/);

  const twin = await page.context().newPage();
  await twin.goto("/kyc/new");
  // A returning person is asked first; the form shows no data before that.
  await expect(twin.getByRole("region", { name: say("draft.unfinished", { count: 1 }) })).toContainText(cpf.masked);
  await expect(field(twin, "name")).toHaveCount(0);
  await expectAccessible(twin, "the question which form to go on with");
  await twin.getByRole("link", { name: new RegExp(`^${say("draft.goOn")}`) }).click();
  await expect(field(twin, "name")).toHaveValue("Maria Aparecida dos Santos");
  for (const tab of [page, twin]) {
    await tab.getByRole("button", { name: say("kycStart.toReview") }).click();
    await expect(tab.getByRole("heading", { name: say("kycStart.reviewTitle") })).toBeFocused();
  }
  await expectAccessible(page, "the review");
  await expect(page.getByText(say("kycStart.price", { type: "PF", model: "COMPLETE" }), { exact: true })).toBeVisible();
  const start = (tab: Page) => tab.getByRole("button", { name: say("kycStart.start") });
  await Promise.all([start(page).dblclick(), start(twin).click()]);
  await expect(page.getByText(say("kycStart.startedDone"))).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();
  await expect(twin.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();
  expect(new URL(twin.url()).pathname).toBe(new URL(page.url()).pathname);
  const kycUUID = idIn(page.url());
  expect(await provider.casesOf(cpf.masked)).toEqual([kycUUID]);

  await page.goto("/kyc/new");
  await expect(field(page, "name")).toHaveValue("");
  await page.getByRole("radio", { name: say("kycStart.models.BASIC.name") }).check();
  await fillIndividual(page, { ...INDIVIDUAL, vatNumber: cpf.typed });
  await page.getByRole("button", { name: say("kycStart.toReview") }).click();
  const again = say("kycStart.price", { type: "PF", model: "BASIC" });
  const tick = page.getByRole("checkbox", { name: say("kycStart.again", { price: again }) });
  await expect(page.getByRole("link", { name: say("kycStart.likeOpen") })).toHaveAttribute("href", `/kyc/${kycUUID}`);
  await page.getByRole("button", { name: say("kycStart.start") }).click();
  await expect(tick).toBeFocused();
  await expect(tick).toHaveAccessibleDescription(say("kycStart.againFirst"));
  await expectAccessible(page, "the question whether to pay again");
  expect(await provider.casesOf(cpf.masked)).toHaveLength(1);
  await tick.check();
  await page.getByRole("button", { name: say("kycStart.start") }).click();
  const started = page.getByText(say("kycStart.startedDone"));
  await expect(started).toBeVisible();
  expect(await provider.casesOf(cpf.masked)).toHaveLength(2);
  // Announced once: a reload does not repeat it.
  await expect(page).toHaveURL(/\/kyc\/[^/?]+$/);
  await expect(started).toBeHidden();
});

test(
  "a company's case takes one to three partners, one of them an administrator",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const cnpj = inventCnpj();
    const one = inventCpf();
    const other = inventCpf();
    const page = await signedInAs("compliance", { width: 390 });
    const writes = countWrites(page);
    await page.goto("/kyc/new?type=PJ");
    await page.getByRole("radio", { name: say("kycStart.models.MEDIUM.name") }).check();
    await page.getByRole("checkbox", { name: say("kycStart.documentscopy") }).check();
    await field(page, "vatNumber").fill("12.ABC.345/01DE-35");
    await expect(page.getByText(say("kycStart.lettered"))).toBeVisible();
    await field(page, "vatNumber").fill(cnpj.digits);
    await field(page, "legalName").fill("Padaria do Largo Ltda.");
    await fillIndividual(page, { ...INDIVIDUAL, vatNumber: one.typed, name: "Eva Prado" }, "qsa.0.");
    await page.getByRole("button", { name: say("kycStart.addPartner") }).click();
    await page.getByRole("button", { name: say("kycStart.addPartner") }).click();
    await expect(page.getByText(say("kycStart.partnersFull", { max: 3 }))).toBeVisible();
    await fillIndividual(
      page,
      { ...INDIVIDUAL, vatNumber: other.typed, name: "Rui Lima", birthDate: "31/02/1990" },
      "qsa.2.",
    );
    await page.getByRole("button", { name: say("kycStart.removePartner", { number: 2 }) }).click();
    await expect(field(page, "qsa.1.name")).toHaveValue("Rui Lima");
    const partner = page.getByRole("group", { name: say("kycStart.partner", { number: 1 }) });
    await partner.getByRole("radio", { name: say("kycStart.ownerTypes.SOCIO"), exact: true }).check();
    expect(writes()).toBe(0);
    await page.getByRole("button", { name: say("kycStart.toReview") }).click();
    await expect(page.getByText(say("fields.qsa"))).toBeVisible();
    await expect(field(page, "qsa.1.birthDate")).toHaveAccessibleDescription(new RegExp(say("fields.date")));
    await expectAccessible(page, "the company's form with its fields marked");
    await expectNoSidewaysScroll(page, "the company's form");

    await partner.getByRole("radio", { name: say("kycStart.ownerTypes.SOCIO_ADMINISTRADOR") }).check();
    await field(page, "qsa.1.birthDate").fill("28/02/1990");
    await page.getByRole("button", { name: say("kycStart.toReview") }).click();
    await expect(page.getByText(say("kycStart.price", { type: "PJ", model: "MEDIUM" }), { exact: true })).toBeVisible();
    await expectAccessible(page, "the company's review");
    await expectNoSidewaysScroll(page, "the company's review");
    await page.getByRole("button", { name: say("kycStart.start") }).click();
    await expect(page.getByText(say("kycStart.startedDone"))).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: cnpj.masked })).toBeVisible();
    expect(await provider.casesOf(cnpj.masked)).toHaveLength(1);

    await test.step("its details are masked, and a partner's name is revealed only for a reason", async () => {
      const known = page.getByRole("region", { name: say("kycCase.known"), exact: true });
      await expect(known).toContainText(say("kycCase.models.MEDIUM"));
      await expect(known).toContainText("P••• d••• L••• L•••");
      await expect(known.getByRole("listitem").filter({ hasText: one.masked })).toContainText("E••• P•••");
      await expect(page.locator("main")).not.toContainText(/Padaria|Eva Prado|Rui Lima|Josefa/);
      const timeline = page.getByRole("region", { name: say("kycTimeline.title"), exact: true });
      await expect(timeline.getByText(say("kycTimeline.started", { name: say("kycTimeline.you") }))).toBeVisible();
      await expectAccessible(page, "a case that was started here");

      await known.getByRole("button", { name: say("privacy.revealNamed", { document: "E••• P•••" }) }).click();
      const dialog = page.getByRole("dialog", { name: say("privacy.dialogTitle.identity", { document: "E••• P•••" }) });
      await dialog.getByLabel(say("privacy.reasons.verification")).check();
      await dialog.getByLabel(say("privacy.note")).fill("Conferência do contrato social");
      await dialog.getByRole("button", { name: say("privacy.submit") }).click();
      await expect(known.getByText("Eva Prado · 07/09/1984 · Josefa dos Santos")).toBeVisible();
      const { request } = await signedInAs("auditor");
      const theirs = textsOf(await readPage(request, new URL(page.url()).pathname)).join(" ");
      expect(theirs).toContain(say("privacy.looks"));
      expect(theirs).toContain("Conferência do contrato social");
    });
  },
);

test(
  "support cannot start a case; the queue and form name the roles that can",
  { tag: "@long" },
  async ({ signedInAs, say }) => {
    const page = await signedInAs("support");
    await page.goto("/kyc/new");
    await expect(page.getByRole("heading", { name: say("absent.forbiddenTitle") })).toBeVisible();
    await expect(page.getByText(say("absent.forbiddenBody", { roles: say("roles.compliance") }))).toBeVisible();
    await page
      .getByRole("navigation", { name: say("shell.navigation") })
      .getByRole("link", { name: say("kyc.title"), exact: true })
      .click();
    const button = page.getByRole("button", { name: say("kycStart.button") });
    await expect(button).toHaveAccessibleDescription(new RegExp(say("roles.compliance")));
  },
);
