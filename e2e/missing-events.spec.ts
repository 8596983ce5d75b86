import { z } from "zod";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { rowWith } from "./support/sight";
import { expect, test } from "./support/story";

test.use({
  ownProduct: { SERVICE_DEMO_DATA: "false", SERVICE_PROVIDER_DELAY_MS: "manual", WEBHOOK_GRACE_SECONDS: "4" },
});

const Missing = z.object({
  counts: z.object({ never: z.number() }),
  days: z.array(z.object({ events: z.array(z.object({ event: z.string(), onTime: z.number() })) })),
});

test("support sees which event was lost while nobody answered, and that it is repaired", async ({
  signedInAs,
  askingAs,
  provider,
  say,
}) => {
  const asking = await askingAs("support");
  const read = async () => Missing.parse(await (await asking.get("/api/webhooks/missing")).json());

  await test.step("what comes is counted as on time", async () => {
    await expect
      .poll(
        async () => {
          await provider.requestAccount(inventCpf().digits);
          return (await read()).days[0]?.events[0];
        },
        { intervals: [3_000], timeout: 60_000 },
      )
      .toMatchObject({ event: "onboarding-create", onTime: expect.any(Number) });
    expect((await read()).counts.never).toBe(0);
  });

  const cpf = inventCpf();
  const id = await provider.requestAccount(cpf.digits);
  await expect.poll(async () => (await provider.deliveries())[0]?.status).toBe("DELIVERED");

  await test.step("an event is lost", async () => {
    await provider.silenceReceivers(120);
    await provider.steerOnboarding(id, { status: "ERROR" });
    await expect
      .poll(
        async () => {
          await provider.advanceClock(5);
          return (await provider.deliveries())[0];
        },
        { intervals: [1_000], timeout: 30_000 },
      )
      .toMatchObject({ event: "onboarding-backgroundcheck", status: "FAILED" });
    await provider.silenceReceivers(0);
    await expect.poll(async () => (await read()).counts.never, { timeout: 60_000 }).toBe(1);
  });

  const page = await signedInAs("support");

  await test.step("its type is silent", async () => {
    await page.goto("/webhooks");
    const arrivals = page.getByRole("table", { name: say("arrivals.title") });
    const silent = rowWith(arrivals, [say("webhooks.events.onboarding-backgroundcheck")]);
    await expect(silent).toContainText(say("arrivals.standings.silent"));
    const arriving = rowWith(arrivals, [say("webhooks.events.onboarding-create")]);
    await expect(arriving).toContainText(say("arrivals.standings.arriving"));
    await expectAccessible(page, "what arrives");
    await silent.getByRole("link", { name: say("arrivals.missed", { count: 1 }) }).click();
  });

  await test.step("it is named, with its record", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("missing.title"));
    const days = page.getByRole("table", { name: say("missing.byDay.title") });
    await expect(rowWith(days, [say("webhooks.events.onboarding-backgroundcheck")])).toBeVisible();
    const row = rowWith(page.getByRole("table", { name: say("missing.title") }), [
      say("webhooks.events.onboarding-backgroundcheck"),
    ]);
    await expect(row).toContainText(say("missing.changes.refused"));
    await expect(row).toContainText(say("missing.states.never"));
    await expectAccessible(page, "missing events");
    await row.getByRole("link").click();
    await expect(page).toHaveURL(/\/onboarding\/[0-9a-f-]{36}$/);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(cpf.typed.slice(4, 11));
  });

  await test.step("nothing came late", async () => {
    await page.goto("/webhooks/missing?view=late");
    await expect(page.getByRole("heading", { name: say("missing.emptyTitle.late") })).toBeVisible();
    await expectAccessible(page, "no late events");
  });
});
