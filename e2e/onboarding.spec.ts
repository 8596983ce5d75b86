import { randomUUID } from "node:crypto";
import { inventCpf } from "./support/invent";
import { addressesOf, expectRow, factOf, rowWith, untilSeen } from "./support/sight";
import { expect, test } from "./support/story";

const pageOf = /\/onboarding\/[0-9a-f-]{36}(\?known=yes)?$/;

test(
  "compliance sees who must act on an onboarding and copies its link on record",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf("003");
    const onBoardingId = await provider.requestAccount(cpf.digits);
    const page = await signedInAs("compliance");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await untilSeen(page, "/api/onboarding", cpf.masked);
    await page.goto("/onboarding");
    const queue = page.getByRole("table", { name: say("onboarding.title") });
    await expectRow(queue, [cpf.masked, say("onboarding.status.PROCESSING"), say("onboarding.acts.provider")]);

    const link = `https://biometria.example/${randomUUID()}`;
    const request = { message: "Faça a biometria", actionRequired: true, url: link };
    await provider.steerOnboarding(onBoardingId, { biometricUrl: link, messages: [request] });
    await queue.getByRole("link", { name: cpf.masked }).click();
    const check = page.getByRole("button", { name: say("onboarding.check") });
    await check.click();
    await expect(factOf(page, say("onboarding.columns.acts"))).toHaveText(say("onboarding.acts.holder"));
    await expect(check).toHaveAttribute("aria-disabled", "true");
    const biometrics = page.getByRole("region", { name: say("onboardingRecord.link") });
    await expect(biometrics.getByText("biometria.example").first()).toBeVisible();
    const holder = page.getByRole("region", { name: say("onboardingRecord.holder"), exact: true });
    await expect(holder.getByText(say("onboardingRecord.linkBelow"))).toBeVisible();
    expect(await page.content()).not.toContain(link);

    await biometrics.getByRole("button", { name: say("handOver.showQr") }).click();
    const dialog = page.getByRole("dialog", { name: say("onboardingRecord.qrTitle") });
    await expect(dialog.getByRole("img").locator("path")).toHaveCSS("fill", "rgb(0, 0, 0)");
    await expect(dialog.getByText(link)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      const write = navigator.clipboard.writeText.bind(navigator.clipboard);
      navigator.clipboard.writeText = async () => {
        navigator.clipboard.writeText = write;
        throw new DOMException("blocked", "NotAllowedError");
      };
    });
    await biometrics.getByRole("button", { name: say("handOver.copyLink") }).click();
    await expect(biometrics.getByText(say("handOver.linkNotCopied"))).toBeVisible();
    await biometrics.getByRole("button", { name: say("handOver.copyLink") }).click();
    await expect(biometrics.getByText(say("handOver.linkCopied"))).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await holder.getByRole("button", { name: say("onboardingRecord.copyHolder") }).click();
    await expect(holder.getByText(say("onboardingRecord.copiedHolder"))).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`Faça a biometria\n\n${link}`);
    await biometrics.getByText(say("onboardingRecord.linkHistory"), { exact: true }).click();
    const history = biometrics.getByRole("list", { name: say("onboardingRecord.linkHistory") });
    await expect(history.getByRole("listitem").filter({ hasText: say("onboardingRecord.you") })).toHaveCount(4);

    await page.goto("/onboarding?acts=holder");
    await expectRow(queue, [cpf.masked, "biometria.example", say("onboarding.acts.holder")]);
  },
);

test("a refused onboarding shows provider markup as text and links only over https", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf("003");
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const markup = `<img src=x onerror="document.title='taken'"><b>Selfie ilegível</b>`;
  await provider.steerOnboarding(onBoardingId, {
    status: "ERROR",
    messages: [
      { message: markup, actionRequired: true, url: "https://ajuda.example/selfie" },
      { message: "Documento vencido", url: "http://inseguro.example/doc" },
    ],
  });
  const page = await signedInAs("support");
  await untilSeen(page, "/api/onboarding?status=ERROR", cpf.masked);
  await page.goto("/onboarding?status=ERROR");
  const queue = page.getByRole("table", { name: say("onboarding.title") });
  await expectRow(queue, [cpf.masked, "Documento vencido", say("onboarding.acts.holder")]);
  await queue.getByRole("link", { name: cpf.masked }).click();

  const holder = page.getByRole("region", { name: say("onboardingRecord.holder"), exact: true });
  await expect(holder.getByText(markup)).toBeVisible();
  await expect(holder.getByText(say("onboarding.actionRequired"))).toBeVisible();
  await expect(holder.getByRole("listitem").filter({ hasText: "Documento vencido" })).toBeVisible();
  await expect(holder.getByText("proposal-reproved")).toHaveCount(0);
  await expect(holder.getByRole("link")).toHaveCount(1);
  await expect(holder.getByRole("link", { name: "ajuda.example" })).toHaveAttribute(
    "href",
    "https://ajuda.example/selfie",
  );
  const internal = page.getByRole("region", { name: say("onboardingRecord.internal") });
  await expect(internal.getByText("proposal-reproved").first()).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await holder.getByRole("button", { name: say("onboardingRecord.copyHolder") }).click();
  await expect(holder.getByText(say("onboardingRecord.copiedHolder"))).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`${markup}\nhttps://ajuda.example/selfie\n\nDocumento vencido`);
  expect(await page.title()).not.toContain("taken");

  await test.step("a new attempt", async () => {
    await provider.requestAccount(cpf.digits);
    await untilSeen(page, "/api/onboarding", cpf.masked);
    await page.goto("/onboarding");
    await page.getByRole("link", { name: cpf.masked }).click();
    const attempts = page.getByRole("region", { name: say("onboardingRecord.attempts") });
    const items = attempts.getByRole("listitem");
    await expect(items).toHaveCount(2);
    await expect(items.last()).toHaveAttribute("aria-current", "true");
    await attempts.getByRole("button", { name: say("onboardingRecord.part") }).click();
    await attempts.getByRole("button", { name: say("onboardingRecord.partDo"), exact: true }).click();
    await expect(attempts.getByRole("heading", { name: say("onboardingRecord.others") })).toBeVisible();
    await attempts.getByRole("button", { name: say("onboardingRecord.join") }).click();
    const dialog = page.getByRole("dialog", { name: say("onboardingRecord.joinTitle") });
    await dialog.getByRole("button", { name: say("onboardingRecord.joinSubmit"), exact: true }).click();
    await expect(attempts.getByRole("heading", { name: say("onboardingRecord.others") })).toHaveCount(0);
    await items.first().getByRole("link").click();
    await expect(factOf(page, say("onboarding.columns.status"))).toHaveText(say("onboarding.status.ERROR"));
    await expect(factOf(page, say("onboarding.columns.acts"))).toHaveText(say("onboarding.acts.nobody"));
  });
});

test(
  "the onboarding queue holds still under the pointer and counts new arrivals",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const first = inventCpf("003");
    const second = inventCpf("003");
    await provider.requestAccount(first.digits);
    const page = await signedInAs("auditor");
    await untilSeen(page, "/api/onboarding", first.masked);
    await page.goto("/onboarding");
    const queue = page.getByRole("table", { name: say("onboarding.title") });
    await rowWith(queue, [first.masked]).hover();
    await provider.requestAccount(second.digits);
    const news = page.getByRole("button", { name: /^(Mostrar|Show) \d/ });
    await expect(news).toBeVisible({ timeout: 30_000 });
    await expect(rowWith(queue, [second.masked])).toHaveCount(0);
    await news.click();
    await expectRow(queue, [second.masked]);

    const views = page.getByRole("navigation", { name: say("onboarding.filterStatus") });
    for (const [view, states] of [
      ["CONFIRMED", ["CONFIRMED"]],
      ["ERROR", ["ERROR"]],
      ["open", ["PROCESSING"]],
    ] as const) {
      await views.getByRole("link", { name: new RegExp(`^${say(`onboarding.filters.${view}`)}`) }).click();
      const words = states.map((state) => say(`onboarding.status.${state}`));
      for (const other of ["PROCESSING", "CONFIRMED", "ERROR"] as const) {
        const word = say(`onboarding.status.${other}`);
        if (!words.includes(word)) await expect(rowWith(queue, [word])).toHaveCount(0);
      }
      await expect(queue.getByRole("row").nth(1)).toBeVisible();
    }
  },
);

test("support follows an onboarding to its account without the document in any URL", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf("003");
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const page = await signedInAs("support");
  const addresses = addressesOf(page);
  await page.goto("/onboarding?status=ERROR");
  const follow = page.getByRole("button", { name: say("onboarding.follow") });
  await follow.click();
  const dialog = page.getByRole("dialog", { name: say("onboarding.followTitle") });
  const query = dialog.getByLabel(say("onboarding.query"));
  const send = dialog.getByRole("button", { name: say("onboarding.followSubmit") });
  await send.click();
  await expect(query).toHaveAccessibleDescription(new RegExp(say("onboarding.queryFirst")));
  await query.fill("111.111.111-11");
  await send.click();
  await expect(query).toHaveAccessibleDescription(new RegExp(say("fields.document")));
  await query.fill(inventCpf().typed);
  await send.click();
  await expect(dialog.getByText(say("failures.onboarding-unknown"))).toBeVisible();
  await query.fill(cpf.typed);
  await send.click();
  await expect(page).toHaveURL(pageOf);
  await expect(page.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();

  await page.goBack();
  const search = page.getByRole("searchbox", { name: say("onboarding.search") });
  await search.fill(inventCpf().typed);
  await page.keyboard.press("Enter");
  await expect(search).toHaveAccessibleDescription(say("onboarding.searchNobody"));
  await search.fill(cpf.typed);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\?status=all&person=[0-9a-f-]{36}$/);
  const queue = page.getByRole("table", { name: say("onboarding.title") });
  await expect(queue.getByRole("row")).toHaveCount(2);
  await expectRow(queue, [cpf.masked]);
  expect(addresses.filter((address) => address.includes(cpf.digits) || address.includes(cpf.typed))).toEqual([]);

  await follow.click();
  await query.fill(cpf.digits);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(pageOf);
  await expect(page.getByText(say("onboarding.alreadyFollowed"))).toBeVisible();

  const status = factOf(page, say("onboarding.columns.status"));
  await expect(status).toHaveText(say("onboarding.status.PROCESSING"));
  await provider.steerOnboarding(onBoardingId, { status: "CONFIRMED" });
  await page.getByRole("button", { name: say("onboarding.check") }).click();
  await expect(status).toHaveText(say("onboarding.status.CONFIRMED"));
  await page.getByRole("link", { name: say("onboarding.viewAccount") }).click();
  await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
  await expect(page.getByText(cpf.masked).first()).toBeVisible();
});
