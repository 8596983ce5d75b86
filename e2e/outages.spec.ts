import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible";
import { additionIn, fillDecision } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

test.beforeEach(async ({ provider }) => provider.recover());

const DECISION = { method: "POST", path: "/v1/kyc/manual-decision" } as const;
const KYC_LIST = { method: "GET", path: "/v1/kyc/list" } as const;
const ALWAYS = 10_000;

/** Fills the dialog of the open case; the story sends it. */
async function prepareApproval(page: Page, say: Words) {
  await page.getByRole("button", { name: say("kyc.decide") }).click();
  const dialog = page.getByRole("dialog");
  await fillDecision(dialog, say, { addition: "Um motivo escrito com cuidado." });
  // The button's name changes, since a decision after an unconfirmed one needs a second person.
  return { dialog, send: dialog.locator("button[type=submit]") };
}

test(
  "a refused decision can be retried; an unanswered one is sent once, unconfirmed",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const kycUUID = await provider.openCase(inventCpf().digits);
    const page = await signedInAs("compliance");
    await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await page.goto(`/kyc/${kycUUID}`);
    const decisions = page.getByRole("region", { name: say("kycCase.decisions") });

    await test.step("refused", async () => {
      const { dialog, send } = await prepareApproval(page, say);
      await provider.fail({ ...DECISION, status: 403, times: 1 });
      await send.click();
      await expect(dialog.getByText(say("errors.forbidden"))).toBeVisible();
      await page.reload();
      await expect(decisions.getByText(say("kycCase.outcome.REFUSED"))).toBeVisible();
    });

    const { dialog, send } = await prepareApproval(page, say);
    await provider.fail({ ...DECISION, status: 503, times: ALWAYS });
    await send.click();
    await expect(dialog.getByText(say("failures.decision-unconfirmed"))).toBeVisible();
    await expect(additionIn(dialog, say)).toHaveValue("Um motivo escrito com cuidado.");
    await expect(dialog.getByRole("radio", { name: say("kyc.approve") })).toBeChecked();
    await provider.recover();
    expect(await provider.caseStatus(kycUUID)).toBe("PENDING");
    await send.click();
    await expect(dialog.getByText(say("failures.intent-already-sent"))).toBeVisible();
    expect(await provider.caseStatus(kycUUID)).toBe("PENDING");

    await page.reload();
    await expect(decisions.getByText(say("kycCase.outcome.UNKNOWN"))).toBeVisible();
    const isUnsure = say("kyc.unconfirmed", { decision: "APPROVED", name: "@", time: "@" }).split("@")[0] ?? "";
    await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
    await expect(dialog.getByText(isUnsure)).toBeVisible();
    await page.goto("/kyc?sort=arrival");
    await page.locator(`#decide-${kycUUID}`).click();
    await expect(dialog.getByText(isUnsure)).toBeVisible();
  },
);

test("queue and overview keep their last read through an outage, and recover", async ({
  signedInAs,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const kycUUID = await provider.openCase(cpf.digits);
  const page = await signedInAs("compliance");
  await untilSeen(page, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
  await page.goto("/kyc?sort=arrival");
  const isStale = page.getByText(say("states.staleBody"));
  const refresh = page.getByRole("button", { name: say("common.refresh") });
  await expect(isStale).toHaveCount(0);

  await test.step("the console does not answer", async () => {
    await page.route("**/api/kyc**", (route) => route.abort());
    await refresh.click();
    await expect(isStale).toBeVisible();
    await page.unroute("**/api/kyc**");
    await refresh.click();
    await expect(isStale).toHaveCount(0);
  });

  await provider.fail({ ...KYC_LIST, status: 400, times: ALWAYS });
  await untilSeen(page, "/api/kyc", '"isStale":true');
  await refresh.click();
  await expect(isStale).toBeVisible();
  await expect(page.getByRole("link", { name: cpf.masked })).toBeVisible();
  await page.goto("/");
  await expect(isStale).toBeVisible();
  await provider.recover();
  await untilSeen(page, "/api/kyc", '"isStale":false');
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(isStale).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("link", { name: cpf.masked })).toBeVisible();
  await refresh.click();
  await expect(isStale).toHaveCount(0);
});

test(
  "a look-up keeps its input and an account keeps its data while reads fail",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    const cpf = inventCpf();
    await provider.openAccount(cpf.digits);
    const page = await signedInAs("support");
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load")) complaints.push(message.text());
    });
    await page.goto("/accounts");
    const field = page.getByLabel(say("accounts.lookUpLabel"));
    await field.fill(cpf.typed);
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 402, times: ALWAYS });
    await page.getByRole("button", { name: say("accounts.lookUp") }).click();
    await expect(page.getByText(say("errors.restricted"))).toBeVisible();
    await expect(field).toHaveValue(cpf.typed);
    await provider.recover();

    await provider.fail({ method: "GET", path: "/v1/bank-accounts/balance", status: 402, times: ALWAYS });
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/history", status: 402, times: ALWAYS });
    await page.getByRole("button", { name: say("accounts.lookUp") }).click();
    const failures = page.getByRole("alert").filter({ hasText: say("errorTitles.restricted") });
    await expect(failures).toHaveCount(2);
    await expect(failures.first().getByText(say("errors.restricted"))).toBeVisible();
    await expect(page.getByText(cpf.masked).first()).toBeVisible();
    await expect(failures.first().getByText(say("states.reference"))).toBeVisible();

    await provider.recover();
    await failures
      .first()
      .getByRole("button", { name: say("common.retry") })
      .click();
    await expect(page.getByRole("term").getByText(say("accounts.available"))).toBeVisible();
    await expect(page.getByText(say("accounts.noEntriesTitle"))).toBeVisible();
    await expect(failures).toHaveCount(0);

    await provider.fail({ method: "GET", path: "/v1/bank-accounts/balance", status: 402, times: ALWAYS });
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/history", status: 402, times: ALWAYS });
    await page.getByLabel(say("casework.note")).fill("Ligou de novo");
    await page.getByRole("button", { name: say("casework.submit") }).click();
    await expect(page.getByText("Ligou de novo")).toBeVisible();
    const kept = page.getByText(say("states.staleOnDemand"));
    await expect(kept).toHaveCount(2);
    await expect(page.getByText(say("accounts.noEntriesTitle"))).toBeVisible();
    await expect(page.getByRole("term").getByText(say("accounts.available"))).toBeVisible();
    await expectAccessible(page, "an account whose refresh failed");
    await expect(kept.first().getByRole("button", { name: say("common.retry") })).toBeVisible();
    await provider.recover();
    await page.getByLabel(say("casework.note")).fill("Desligou");
    await page.getByRole("button", { name: say("casework.submit") }).click();
    await expect(kept).toHaveCount(0);
    await expect(failures).toHaveCount(0);

    await provider.fail({ method: "GET", path: "/v1/bank-accounts/balance", status: 503, times: ALWAYS });
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/history", status: 503, times: ALWAYS });
    await page.reload();
    const earlier = page.getByText(say("states.staleTitle", { time: "@" }).split("@")[0] ?? "");
    await expect(earlier).toBeVisible();
    const short = page.getByRole("alert").filter({ hasText: say("errorTitles.unavailable") });
    await expect(short.getByRole("button", { name: say("common.retry") })).toBeVisible();
    await expect(short.getByText(say("states.reference"))).toHaveCount(0);
    await expect(page.getByRole("term").getByText(say("accounts.available"))).toBeVisible();
    await expectAccessible(page, "an account whose provider is silent");
    await provider.recover();
    await expect(earlier).toBeHidden({ timeout: 60_000 });
    await expect(short).toHaveCount(0);
    expect(complaints).toEqual([]);
  },
);

test(
  "the webhooks screen says that the provider is slow, refuses or is down",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    // A read is retried for twenty seconds before it fails.
    test.slow();
    const page = await signedInAs("support");
    const table = page.getByRole("table", { name: say("webhooks.title") });
    const title = page.getByRole("heading", { level: 1, name: say("webhooks.title") });

    await test.step("slow: the screen is there, with the place of what is yet to come", async () => {
      await provider.fail({ method: "GET", path: "/v1/webhooks", delayMs: 1_500, times: ALWAYS });
      await page.goto("/accounts");
      await page.getByRole("link", { name: say("webhooks.title") }).click();
      await expect(title).toBeVisible();
      const subscriptions = page.getByRole("region", { name: say("webhooks.subscriptions") });
      await expect(subscriptions.getByText(say("common.loading"))).toBeAttached();
      await expect(table).toBeVisible();
      await expect(subscriptions.getByText(say("common.loading"))).toHaveCount(0);
      await provider.recover();
    });

    await test.step("a brief outage of a read is ridden out without a word", async () => {
      await provider.fail({ method: "GET", path: "/v1/webhooks", status: 503, times: 1 });
      expect(await (await page.request.get("/webhooks")).text()).toContain(
        `<table class="ledger" aria-label="${say("webhooks.title")}"`,
      );
      await provider.recover();
    });

    await test.step("refused: told, and open at the next try", async () => {
      await provider.fail({ method: "GET", path: "/v1/webhooks", status: 402, times: ALWAYS });
      await page.goto("/webhooks");
      const failure = page.getByRole("alert").filter({ hasText: say("errorTitles.restricted") });
      await expect(failure).toBeVisible();
      await expect(title).toBeVisible();
      await provider.recover();
      await failure.getByRole("button", { name: say("common.retry") }).click();
      await expect(table).toBeVisible();
    });

    await test.step("down: told with a reference, and the rest of the desk works on", async () => {
      await provider.fail({ method: "GET", path: "/v1/webhooks", status: 503, times: ALWAYS });
      await page.goto("/webhooks");
      const failure = page.getByRole("alert").filter({ hasText: say("errorTitles.unavailable") });
      await expect(failure.getByText(say("errors.unavailable"))).toBeVisible({ timeout: 30_000 });
      await expect(failure.getByText(say("states.reference"))).toBeVisible();
      await page.getByRole("link", { name: say("accounts.title"), exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: say("accounts.title") })).toBeVisible();
    });
  },
);
