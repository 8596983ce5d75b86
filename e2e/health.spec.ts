import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { z } from "zod";
import { freePort } from "@/test/support/temporary-product.mjs";
import { inspect } from "./support/looks";
import { rowWith } from "./support/sight";
import { expect, test } from "./support/story";

const mailPort = await freePort();

test.use({
  ownProduct: {
    SERVICE_DEMO_DATA: "false",
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: "Retaguarda <desk@aurora.example>",
  },
});

const received: { to: string[]; text: string }[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "");
      received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
      done();
    });
  },
});
test.beforeAll(() => new Promise<void>((listening) => server.listen(mailPort, "127.0.0.1", listening)));
test.afterAll(() => new Promise<void>((closed) => server.close(closed)));

const Tenants = z.object({ tenants: z.array(z.object({ clientId: z.string() })).min(1) });

/** A delivery that somebody else signed. */
async function forge({ url, dataDir }: { url: string; dataDir: string }): Promise<number> {
  const { tenants } = Tenants.parse(JSON.parse(readFileSync(join(dataDir, "service/tenants.json"), "utf8")));
  const headers = {
    "x-webhook-event": "onboarding-create",
    "x-webhook-event-id": `evt-${randomUUID()}`,
    "x-webhook-signature": "0".repeat(64),
  };
  return (await fetch(`${url}/api/hooks/${tenants[0]?.clientId ?? ""}`, { method: "POST", body: "{}", headers }))
    .status;
}

test("an auditor sees an incident begin, and its mail reaches each administrator", async ({
  signedInAs,
  product,
  say,
}) => {
  test.slow();
  const page = await signedInAs("auditor");
  await page.goto("/");
  await page
    .getByRole("navigation")
    .getByRole("link", { name: say("health.title"), exact: true })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: say("health.title") })).toBeVisible();
  const parts = page.getByRole("table", { name: say("health.parts") });
  const checks = page.getByRole("table", { name: say("health.watches") });

  await test.step("each part says what is known of it", async () => {
    await expect(rowWith(parts, [say("health.names.provider")])).toContainText(say("health.verdicts.well"));
    await expect(rowWith(parts, [say("health.names.certificate")])).toContainText(say("health.facts.noHttps"));
    await expect(rowWith(parts, [say("health.names.certificate")])).toContainText(say("health.verdicts.unknown"));
    const queue = rowWith(checks, [say("actors.watches.kyc")]).first();
    await expect(queue).toContainText(say("health.verdicts.well"));
    await expect(queue).toContainText(/\d\d:\d\d:\d\d/);
    await expect(page.getByText(say("health.noneOpen"))).toBeVisible();
    await inspect(page, "the health of a quiet desk");
  });

  await test.step("an incident comes by itself", async () => {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => forge(product))))).toEqual(new Set([401]));
    const open = page.getByRole("table", { name: say("health.open") });
    await expect(open).toContainText(say("health.kinds.signatures-wrong"), { timeout: 60_000 });
    await expect(rowWith(parts, [say("health.names.deliveries")])).toContainText(say("health.verdicts.failing"), {
      timeout: 60_000,
    });
    await inspect(page, "the health with an incident");
  });

  await test.step("one mail to each administrator, and to nobody else", async () => {
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(2);
    expect(received.flatMap(({ to }) => to).toSorted()).toEqual(["admin2@retaguarda.demo", "admin@retaguarda.demo"]);
    expect(received[0]?.text).toMatch(/wrong signature|assinatura errada/);
    expect(received[0]?.text).toContain(`${product.url}/health`);
    await page.reload();
    const open = page.getByRole("table", { name: say("health.open") });
    await expect(open).toContainText(say("health.mail.sent", { count: 2 }));
  });
});

test("support has no way to the health of the system", async ({ signedInAs, say }) => {
  const page = await signedInAs("support", { scripts: false });
  await page.goto("/");
  await expect(page.getByRole("link", { name: say("health.title"), exact: true })).toHaveCount(0);
  await page.goto("/health");
  await expect(page.getByRole("heading", { name: say("health.parts") })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});
