import { randomUUID } from "node:crypto";
import { deliver } from "./support/deliveries";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { factOf, rowWith, sectionOf } from "./support/sight";
import { expect, test } from "./support/story";

test("an administrator opens a delivery, reads why others were refused, looks again", async ({
  signedInAs,
  product,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const [id, unknown, forged] = [`evt-${randomUUID()}`, `evt-${randomUUID()}`, `evt-${randomUUID()}`];
  const word = `Trecho ${randomUUID().slice(0, 8).replaceAll(/\d/g, "x")}`;
  expect(await deliver(product, { id, payload: { onBoardingId, note: word, cpf: cpf.digits } })).toBe(204);
  expect(await deliver(product, { id: unknown, payload: { onBoardingId: "nowhere-at-all" } })).toBe(204);
  expect(await deliver(product, { id: forged, payload: { onBoardingId }, signature: "sha256=00" })).toBe(401);
  const page = await signedInAs("admin");
  const received = page.getByRole("table", { name: say("received.title") });

  await test.step("a delivery is found by a text in it and opened", async () => {
    await page.goto(`/webhooks?view=all&text=${encodeURIComponent(word)}`);
    await expect(received.getByRole("row")).toHaveCount(2);
    await page.goto(`/webhooks?view=all&text=${cpf.digits}`);
    await expect(page.getByText(say("common.notSearched", { hint: say("received.textHint") }))).toBeAttached();
    await page.goto(`/webhooks?view=all&search=${id}`);
    await received.getByRole("row").nth(1).getByRole("button").click();
    await page.getByRole("link", { name: say("received.open") }).click();
    await expect(page).toHaveURL(/\/webhooks\/[0-9a-f-]{36}$/);
    await expect(factOf(page, say("received.eventId"))).toContainText(id);
    await expect(sectionOf(page, "headers")).toContainText("x-webhook-signature");
    await expect(sectionOf(page, "checks").getByText(say("delivery.result.passed"))).toHaveCount(6);
    await expect(sectionOf(page, "body")).toContainText(word);
    await expect(sectionOf(page, "body")).not.toContainText(cpf.digits);
    await expectAccessible(page, "a delivery");
  });

  await test.step("the refused ones with why", async () => {
    await page.goto(`/webhooks/refused?search=${forged}`);
    const refused = page.getByRole("table", { name: say("refusedDeliveries.title") });
    await expect(rowWith(refused, [say("refusedDeliveries.why.signature")])).toHaveCount(1);
    await refused.getByRole("row").nth(1).getByRole("button").click();
    await expect(page.getByText(say("delivery.form.prefixed"))).toBeVisible();
    await expect(page.getByText("HTTP 401")).toBeVisible();
    await expectAccessible(page, "a refused delivery");
    await page.goto("/webhooks/refused?search=nothing-like-this");
    await expect(page.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
  });

  await test.step("a delivery that was given up is looked at again by a plan", async () => {
    await page.goto(`/webhooks?view=all&search=${unknown}`);
    await expect(received.getByRole("row").nth(1)).toContainText(say("received.states.GIVEN_UP"), { timeout: 20_000 });
    await page.getByRole("button", { name: say("replays.these") }).click();
    const dialog = page.getByRole("dialog");
    const planned = { deliveries: 1, objects: 1, calls: 1, minutes: 1 };
    await expect(dialog.getByText(say("replays.plan", planned))).toBeVisible();
    await expectAccessible(page, "the plan of looking again");
    await dialog.getByRole("button", { name: say("replays.start") }).click();
    await expect(page).toHaveURL(/\/webhooks\/replays$/);
    const runs = page.getByRole("table", { name: say("replays.title") });
    const run = runs.getByRole("row").nth(1);
    await expect(run).toContainText(say("replays.states.DONE"), { timeout: 60_000 });
    await expect(run).toContainText(say("replays.failed", { count: 1 }));
    await expectAccessible(page, "what was looked at again");
    await run.getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`search=${unknown}`));
  });

  await test.step("a run is stopped while the provider does not answer", async () => {
    await provider.fail({ method: "GET", path: "/v1/bank-accounts/checkOnboarding", status: 503, times: 1_000 });
    await page.goto(`/webhooks?view=all&search=${id}`);
    await page.getByRole("button", { name: say("replays.these") }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: say("replays.start") })
      .click();
    const run = page
      .getByRole("table", { name: say("replays.title") })
      .getByRole("row")
      .nth(1);
    await expect(run).toContainText(say("replays.states.RUNNING"));
    await run.getByRole("button").click();
    await expect(run).toContainText(say("replays.states.STOPPED"));
    await expect(run).toContainText(say("replays.unstarted", { count: 1 }));
    await provider.recover();
  });
});

test("support reads deliveries and refused ones, and may not look again", async ({ signedInAs, product, say }) => {
  const id = `evt-${randomUUID()}`;
  expect(await deliver(product, { id, payload: { moon: "full" } })).toBe(204);
  const page = await signedInAs("support");
  await page.goto(`/webhooks?view=all&search=${id}`);
  const button = page.getByRole("button", { name: say("replays.these") });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await page.goto("/webhooks/replays");
  await expect(page.getByRole("heading", { level: 1, name: say("replays.title") })).toBeVisible();
  expect((await page.request.get("/api/webhooks/plan")).status()).toBe(403);
});
