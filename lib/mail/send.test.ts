import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/log/log";
import { givenEnv } from "@/test/support/console";
import { sendMail, takesAddress, transportOf } from "./send";
import { MAIL_SETTINGS, mailServerOf } from "@/lib/settings/env";
import { breakLinks } from "@/lib/text/safe-link";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";
import { bodyOf, decodedHeaders, startMailServer } from "@/test/support/mail";

const link = "https://desk.example/invite#" + "x".repeat(43);
const mail = { to: { name: "Eva Lima", address: "eva@aurora.example" }, subject: "Convite", text: link, link };

let server: SMTPServer | undefined;
const received: { from: string; to: string[]; data: string }[] = [];

/** A mail server on its own port, named in the settings. */
async function givenMailServer(options: SMTPServerOptions = {}): Promise<void> {
  const started = new SMTPServer({
    authMethods: ["PLAIN"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_, __, done) => done(null, { user: "desk" }),
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      const mailed = { from, to: envelope.rcptTo.map(({ address }) => address), data: "" };
      stream.on("data", (chunk) => {
        mailed.data += String(chunk);
      });
      stream.on("end", () => {
        received.push(mailed);
        done();
      });
    },
    ...options,
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = new URL(`smtp://desk:a%20secret@127.0.0.1:${port}`);
  givenEnv({ mail: { server: url, from: "Retaguarda <desk@aurora.example>" } });
}

beforeEach(() => {
  received.length = 0;
  vi.spyOn(log, "error").mockImplementation(() => undefined);
});
afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(resolve))));

describe("a mail", () => {
  it("sends a mail to the configured server with credentials, as plain text", async () => {
    const seen: unknown[] = [];
    await givenMailServer({
      onAuth({ username, password }, _, done) {
        seen.push(username, password);
        done(null, { user: "desk" });
      },
    });
    expect(await sendMail(mail)).toBe("sent");
    expect(seen).toEqual(["desk", "a secret"]);
    expect(received).toMatchObject([{ from: "desk@aurora.example", to: ["eva@aurora.example"] }]);
    expect(received[0]?.data).toMatch(/^Content-Type: text\/plain/m);
    expect(received[0]?.data).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(received[0]?.data.replaceAll("=\r\n", "")).toContain("/invite#" + "x".repeat(43));
  });

  it("returns failed when refused, and logs neither the address nor the content", async () => {
    await givenMailServer({ onRcptTo: (_, __, done) => done(new Error("no such eva@aurora.example")) });
    expect(await sendMail(mail)).toBe("failed");
    expect(log.error).toHaveBeenCalledOnce();
    expect(JSON.stringify(vi.mocked(log.error).mock.calls)).not.toMatch(/eva|invite/);
  });

  it("sends a mail to an address with letters beyond ASCII", async () => {
    await givenMailServer();
    const to = { name: "João", address: "joão@padaría.example" };
    expect(await sendMail({ ...mail, to })).toBe("sent");
    expect(received.map((one) => one.to)).toEqual([["joão@padaría.example"]]);
  });

  it("refuses to send through a server without SMTPUTF8", async () => {
    await givenMailServer({ hideSMTPUTF8: true });
    expect(await takesAddress("joão@aurora.example")).toBe(false);
    expect(await takesAddress("ana@padaría.example")).toBe(true);
    expect(await sendMail({ ...mail, to: { name: "João", address: "joão@aurora.example" } })).toBe("failed");
    expect(received).toEqual([]);
  });

  it("attempts no mail without a server", async () => {
    givenEnv();
    expect(await sendMail(mail)).toBe("off");
  });

  it("keeps a name or a subject from adding a header", async () => {
    await givenMailServer();
    const name = "Eva\r\nBcc: rui@example.com";
    expect(await sendMail({ ...mail, to: { ...mail.to, name }, subject: name })).toBe("sent");
    expect(received[0]?.to).toEqual(["eva@aurora.example"]);
    expect(received[0]?.data).not.toMatch(/^Bcc:/m);
  });
});

const HOSTILE = [
  "http://evil.example/x",
  "https://evil.example",
  "evil.example",
  "www.evil.example",
  "Eva evil.example/login?a=b",
  "eva@evil.example",
  "mailto:eva@evil.example",
  "//evil.example",
  "evil。example",
  "ｅｖｉｌ．example",
  "http：／／evil",
  "http:\\\\evil.example",
  "10.0.0.1",
];
/** What a mail client makes clickable: a scheme, an address, or a name with a dot within. */
const CLICKABLE = /[\p{L}\p{N}][.。．｡․@＠:：][\p{L}\p{N}/／\\]|[/／\\]{2}/u;

describe("what somebody typed", () => {
  it.each(HOSTILE)("leaves no link of typed text in a mail: %s", async (name) => {
    const post = await startMailServer();
    givenEnv({ mail: post.settings });
    const text = `Hello ${name},\n\nOpen this link:\n\n${link}\n`;
    await sendMail({ to: { name, address: "eva@aurora.example" }, subject: `For ${name}`, text, link });
    await post.close();
    const [sent = { data: "" }] = post.received;
    const body = bodyOf(sent);
    expect(body).toContain(link);
    expect(body.replace(link, "")).not.toMatch(CLICKABLE);
    const { subject, to } = decodedHeaders(sent.data);
    expect(subject).not.toMatch(CLICKABLE);
    expect(to.replace("<eva@aurora.example>", "")).not.toMatch(CLICKABLE);
  });

  it.each(["Ana Prado", "José d’Ávila-Souza Jr.", "Dr. Rui Lima"])("leaves a name as typed: %s", (name) => {
    expect(breakLinks(name)).toBe(name);
  });

  it("changes only typed text, as our own contains nothing like a link", () => {
    const { invitationMail, untoldMail, linkMail, passwordMail, noticeMail } = english;
    const { invitationMail: convite, untoldMail: aviso, linkMail: vinculo, passwordMail: senha } = portuguese;
    const ours = [
      invitationMail,
      untoldMail,
      linkMail,
      passwordMail,
      noticeMail.subjects,
      convite,
      aviso,
      vinculo,
      senha,
    ];
    for (const sentence of ours.flatMap((said) => Object.values(said))) expect(breakLinks(sentence)).toBe(sentence);
  });
});

describe("the way to the mail server", () => {
  it("encrypts from the start, unless the server is on this machine", () => {
    expect(transportOf(new URL("smtps://mail.example"))).toMatchObject({ port: 465, secure: true });
    expect(transportOf(new URL("smtp://mail.example"))).toMatchObject({ port: 587, requireTLS: true });
    expect(transportOf(new URL("smtp://localhost:2525"))).toMatchObject({ port: 2525, requireTLS: false });
  });

  it("requires both mail settings or none", () => {
    const SMTP_URL = MAIL_SETTINGS.SMTP_URL.parse("smtps://mail.example");
    expect(mailServerOf({})).toBeNull();
    expect(() => mailServerOf({ SMTP_URL })).toThrow("MAIL_FROM: is required with SMTP_URL");
    expect(() => mailServerOf({ MAIL_FROM: "desk@aurora.example" })).toThrow("SMTP_URL: is required with MAIL_FROM");
  });

  it.each(["http://mail.example", "smtp://", "mail.example:25"])("refuses the mail setting %s", (url) => {
    expect(MAIL_SETTINGS.SMTP_URL.safeParse(url).success).toBe(false);
  });

  it.each(["desk", "a@b\r\nBcc: c@d", "Desk <desk>"])("refuses a sender like %j", (from) => {
    expect(MAIL_SETTINGS.MAIL_FROM.safeParse(from).success).toBe(false);
  });
});
