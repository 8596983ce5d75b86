import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { deliver, Tenants } from "./support/deliveries";
import { expectAccessible } from "./support/accessible";
import { inventCpf } from "./support/invent";
import { rowWith } from "./support/sight";
import { expect, test } from "./support/story";

test("support opens an event's onboarding as it arrives; a forged event is refused", async ({
  signedInAs,
  product,
  provider,
  say,
}) => {
  const cpf = inventCpf();
  const begunAt = new Date().toISOString();
  const onBoardingId = await provider.requestAccount(cpf.digits);
  const id = `evt-${randomUUID()}`;
  const sentAt = new Date().toISOString();
  const page = await signedInAs("support");

  await test.step("a forged event", async () => {
    const forged = { id, payload: { onBoardingId: id }, signature: "0".repeat(64) };
    expect(await deliver(product, forged)).toBe(401);
    await page.goto(`/webhooks?search=${id}`);
    await expect(page.getByRole("heading", { name: say("states.emptyFilter") })).toBeVisible();
  });

  await test.step("the subscription", async () => {
    const [subscription] = await provider.subscriptions();
    const table = page.getByRole("table", { name: say("webhooks.title") });
    const row = rowWith(table, [subscription?.url ?? "a subscription"]);
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(say("webhooks.status.ACTIVE"));
    for (const event of [
      "onboarding-create",
      "onboarding-biometrics",
      "onboarding-backgroundcheck",
      "crypto-cash-in",
    ] as const) {
      expect(subscription?.events).toContain(event);
      await expect(row.getByText(say(`webhooks.events.${event}`))).toBeVisible();
    }
    await expect(page.getByText(say("webhooks.kycNote"))).toBeVisible();
  });

  const payload = { onBoardingId, account: { documentNumber: cpf.digits }, status: "CONFIRMED", sentAt };
  expect(await deliver(product, { id, payload })).toBe(204);
  const row = page
    .getByRole("table", { name: say("received.title") })
    .getByRole("row")
    .nth(1);
  await expect(row).toContainText(say("webhooks.events.onboarding-create"));
  await expect(row).toContainText(say("received.states.DONE"), { timeout: 20_000 });
  expect(await deliver(product, { id, payload })).toBe(204);

  await row.getByRole("button").click();
  const body = page.getByRole("region", { name: say("received.body") });
  await expect(body).toContainText(sentAt);
  await expect(body).toContainText(`***.${cpf.typed.slice(4, 11)}-**`);
  await expect(body).not.toContainText(cpf.digits);
  await expectAccessible(page, "an open event");
  await expect(page.getByText(say("received.times", { count: 2 }))).toBeVisible();

  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/onboarding\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(cpf.typed.slice(4, 11));

  // The embedded service's own delivery about the same onboarding.
  await expect
    .poll(async () => {
      const since = (await provider.deliveries()).filter(({ createdAt }) => createdAt >= begunAt);
      return [...new Set(since.map(({ status }) => status))];
    })
    .toEqual(["DELIVERED"]);
});

const Counts = z.object({
  refused: z.object({ "too-large": z.number(), "too-slow": z.number(), cut: z.number() }),
});

type Broken = { body: string; isLeft?: boolean };

function breakOff(
  { url, dataDir }: { url: string; dataDir: string },
  { body, isLeft = false }: Broken,
): Promise<string> {
  const { tenants } = Tenants.parse(JSON.parse(readFileSync(join(dataDir, "service/tenants.json"), "utf8")));
  const { port, host } = new URL(url);
  const head = `POST /api/hooks/${tenants[0]?.clientId ?? ""} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.write(head + body, () => {
        if (isLeft) socket.destroy();
      }),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.once("close", () => resolve(text.slice(9, 12)));
    socket.once("error", reject);
  });
}

test("support sees how many deliveries were too large, too slow or cut short", async ({
  signedInAs,
  askingAs,
  product,
  say,
}) => {
  const asking = await askingAs("support");
  const counted = async () => Counts.parse(await (await asking.get("/api/webhooks")).json()).refused;
  const before = await counted();
  const length = 256 * 1024 + 1;
  const large = "x".repeat(length);
  const answers = await Promise.all([
    breakOff(product, { body: `Content-Length: ${length}\r\n\r\n${large}` }),
    breakOff(product, {
      body: `Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    }),
    breakOff(product, { body: "Content-Length: 100\r\n\r\n{" }),
    breakOff(product, { body: "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n" }),
    breakOff(product, { body: "Content-Length: 100\r\n\r\n{", isLeft: true }),
    breakOff(product, { body: "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", isLeft: true }),
  ]);
  expect(answers).toEqual(["413", "413", "408", "408", "", ""]);
  const sums = { "too-large": before["too-large"] + 2, "too-slow": before["too-slow"] + 2, cut: before.cut + 2 };
  await expect.poll(counted).toEqual(sums);

  const page = await signedInAs("support");
  await page.goto("/webhooks");
  const told = page.getByText(say("received.refusedAdvice.broken"));
  for (const why of ["too-large", "too-slow", "cut"] as const)
    await expect(told).toContainText(say(`received.refusedFor.${why}`, { count: sums[why] }));
});
