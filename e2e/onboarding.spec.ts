import { inventCpf } from "./invent";
import { expectRow, factOf, rowWith, untilSeen } from "./sight";
import { expect, test } from "./story";

test("an onboarding begun elsewhere appears in the queue with who must act", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf("003");
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/onboarding", cpf.masked);
  await page.goto("/onboarding");
  const queue = page.getByRole("table", { name: say("onboarding.title") });
  await expectRow(queue, [cpf.masked, say("onboarding.status.PROCESSING"), say("onboarding.acts.provider")]);

  await provider.steerOnboarding(onBoardingId, { biometricUrl: "https://biometria.example/abc" });
  await queue.getByRole("link", { name: cpf.masked }).click();
  await page.getByRole("button", { name: say("onboarding.check") }).click();
  await expect(factOf(page, say("onboarding.columns.acts"))).toHaveText(say("onboarding.acts.holder"));
  const link = page.getByRole("link", { name: "biometria.example" });
  await expect(link).toHaveAttribute("href", "https://biometria.example/abc");
  await expect(link).toHaveAttribute("rel", "noopener noreferrer");

  await page.goto("/onboarding?status=action");
  await expectRow(queue, [cpf.masked, "biometria.example"]);
});

test("checking now shows the account that has been opened, and leads to it", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf("003");
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const page = await signedInAs("support");
  await untilSeen(page, "/api/onboarding", cpf.masked);
  await page.goto("/onboarding");
  await page.getByRole("link", { name: cpf.masked }).click();
  await expect(factOf(page, say("onboarding.columns.status"))).toHaveText(say("onboarding.status.PROCESSING"));
  await provider.steerOnboarding(onBoardingId, { status: "CONFIRMED" });
  await page.getByRole("button", { name: say("onboarding.check") }).click();
  await expect(factOf(page, say("onboarding.columns.status"))).toHaveText(say("onboarding.status.CONFIRMED"));
  await page.getByRole("link", { name: say("onboarding.viewAccount") }).click();
  await expect(page).toHaveURL(/\/accounts\/[0-9a-f-]{36}$/);
  await expect(page.getByText(cpf.masked)).toBeVisible();
});

test("a refusal shows the provider's words as text, and links only over https", async ({
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
  await expectRow(queue, [cpf.masked, say("onboarding.status.ERROR"), say("onboarding.acts.holder")]);
  await queue.getByRole("link", { name: cpf.masked }).click();

  const messages = page.getByRole("region", { name: say("onboarding.messages") });
  await expect(messages.getByText(markup)).toBeVisible();
  await expect(messages.getByText(say("onboarding.actionRequired"))).toBeVisible();
  await expect(messages.getByText("proposal-reproved").first()).toBeVisible();
  await expect(messages.getByRole("listitem").filter({ hasText: "Documento vencido" })).toBeVisible();
  await expect(messages.getByRole("link")).toHaveCount(1);
  await expect(messages.getByRole("link", { name: "ajuda.example" })).toHaveAttribute(
    "href",
    "https://ajuda.example/selfie",
  );
  expect(await page.title()).not.toContain("taken");
});

test("support follows an onboarding by its document", async ({ signedInAs, provider, say }) => {
  const cpf = inventCpf("003");
  await provider.requestAccount(cpf.digits);
  const page = await signedInAs("support");
  await page.goto("/onboarding");
  await page.getByRole("button", { name: say("onboarding.follow") }).click();
  const dialog = page.getByRole("dialog", { name: say("onboarding.followTitle") });
  const query = dialog.getByLabel(say("onboarding.query"));
  await dialog.getByRole("button", { name: say("onboarding.followSubmit") }).click();
  await expect(query).toHaveAccessibleDescription(new RegExp(say("onboarding.queryFirst")));
  await query.fill("111.111.111-11");
  await dialog.getByRole("button", { name: say("onboarding.followSubmit") }).click();
  await expect(query).toHaveAccessibleDescription(new RegExp(say("fields.document")));
  await query.fill(cpf.typed);
  await dialog.getByRole("button", { name: say("onboarding.followSubmit") }).click();
  await expect(page).toHaveURL(/\/onboarding\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1, name: cpf.masked })).toBeVisible();
});

test("following what the provider does not know says so in the dialog", async ({ signedInAs, say }) => {
  const page = await signedInAs("compliance");
  await page.goto("/onboarding");
  await page.getByRole("button", { name: say("onboarding.follow") }).click();
  const dialog = page.getByRole("dialog", { name: say("onboarding.followTitle") });
  await dialog.getByLabel(say("onboarding.query")).fill(inventCpf().typed);
  await dialog.getByRole("button", { name: say("onboarding.followSubmit") }).click();
  await expect(dialog.getByText(say("errors.not-found"))).toBeVisible();
});

test("each view of the queue shows its own states", async ({ signedInAs, say }) => {
  const page = await signedInAs("auditor");
  await page.goto("/onboarding");
  const views = page.getByRole("navigation", { name: say("onboarding.filterStatus") });
  const queue = page.getByRole("table", { name: say("onboarding.title") });
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
    await expect(rowWith(queue, words).first()).toBeVisible();
  }
});
