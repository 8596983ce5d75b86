import { SMTPServer } from "smtp-server";
import { freePort } from "@/test/support/temporary-product.mjs";
import { expectAccessible } from "./support/accessible";
import { note } from "./support/canary";
import { addColleague, signIn } from "./support/colleague";
import { expect, test } from "./support/story";

const NEW = "nove guarda-chuvas soltos";
const mailPort = await freePort();

test.use({
  ownProduct: {
    SERVICE_DEMO_DATA: "false",
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    MAIL_FROM: "Retaguarda <desk@aurora.example>",
  },
});

const received: string[] = [];
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData: (stream, _, done) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      // Soft line breaks of quoted-printable.
      received.push(Buffer.concat(chunks).toString().replaceAll("=\r\n", ""));
      done();
    });
  },
});
test.beforeAll(() => new Promise<void>((listening) => server.listen(mailPort, "127.0.0.1", listening)));
test.afterAll(() => new Promise<void>((closed) => server.close(closed)));

test(
  "a person resets a password by mail; an unknown address gets the same answer",
  { tag: "@long" },
  async ({ stranger: page, product, say }) => {
    test.slow();
    const clara = await addColleague(product, "auditor");
    const ask = async (email: string) => {
      await page.getByLabel(say("password.email"), { exact: true }).fill(email);
      await page.getByRole("button", { name: say("password.ask") }).click();
      await expect(page.getByRole("heading", { name: say("password.asked") })).toBeFocused();
      await expect(page.getByText(say("password.askedBody", { email }))).toBeVisible();
    };

    await page.goto("/password");
    await page.getByRole("button", { name: say("password.ask") }).click();
    await expect(page.getByLabel(say("password.email"), { exact: true })).toHaveAccessibleDescription(/./);
    await expectAccessible(page, "asking for a link with nothing typed");

    await ask("nobody@aurora.example");
    await page.goto("/password");
    await ask(clara.email);
    await expectAccessible(page, "a link is on its way");
    await expect.poll(() => received.length).toBe(1);
    const [link = ""] = /http:\/\/\S+\/password#[\w-]{43}/.exec(received[0] ?? "") ?? [];
    note("invitation", link.split("#")[1] ?? "");

    await page.goto(link);
    await page.getByLabel(say("password.new"), { exact: true }).fill(NEW);
    await page.getByRole("button", { name: say("password.submit") }).click();
    await expect(page.getByRole("heading", { name: say("password.done") })).toBeFocused();
    await expect.poll(() => received.length).toBe(2);
    expect(received.at(-1)).toContain(clara.email);

    await signIn(page, say, { ...clara, password: NEW });
    await expect(page.getByRole("heading", { level: 1, name: say("home.title") })).toBeVisible();
  },
);

test("each person chooses which mails they get", { tag: "@long" }, async ({ signedInAs, say }) => {
  const page = await signedInAs("approver");
  await page.goto("/security");
  await expect(page.getByText(say("mails.off"))).toHaveCount(0);
  const waiting = page.getByRole("checkbox", { name: say("mails.choices.waiting") });
  await expect(waiting).toBeChecked();
  await waiting.click();
  await expect(waiting).not.toBeChecked();
  await page.reload();
  await expect(waiting).not.toBeChecked();
});
