import { createTransport } from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import { isAscii } from "@/lib/contract/shared";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { breakLinks, isLoopback } from "@/lib/text/safe-link";

const PATIENCE_MS = 10_000;

/** `link`: our own link within `text`; anything else that looks like a link is user input. */
type Mail = { to: { name: string; address: string }; subject: string; text: string; link?: string };

export type MailResult = "sent" | "failed" | "off";

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Our mails carry sign-in links, so they go encrypted to another machine, or not at all. */
export function transportOf(server: URL) {
  const isImplicit = server.protocol === "smtps:";
  const credentials = { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) };
  return {
    host: server.hostname.replaceAll(/^\[|\]$/g, ""),
    port: server.port === "" ? PORTS[isImplicit ? "smtps:" : "smtp:"] : Number(server.port),
    secure: isImplicit,
    requireTLS: !isImplicit && !isLoopback(server.hostname),
    ...(credentials.user !== "" && { auth: credentials }),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Letters before the @ need SMTPUTF8 (RFC 6531); after it they become punycode. */
const needsUtf8 = (address: string) => !isAscii(address.slice(0, address.lastIndexOf("@")));

/** Null when the server could not be asked. */
function extensionsOf(server: URL): Promise<readonly unknown[] | null> {
  const connection = new SMTPConnection(transportOf(server));
  return new Promise((resolve) => {
    connection.once("error", () => resolve(null));
    connection.connect(() => {
      // The package keeps this property private.
      const found: unknown = Reflect.get(connection, "_supportedExtensions");
      connection.quit();
      resolve(Array.isArray(found) ? found : []);
    });
  });
}

/** False when the mail server says so; true without a server or an answer. */
export async function takesAddress(address: string): Promise<boolean> {
  const { mail } = env();
  if (mail === null || !needsUtf8(address)) return true;
  return (await extensionsOf(mail.server))?.includes("SMTPUTF8") ?? true;
}

/** RFC 3834: prevents automatic replies. */
const NOBODY_WROTE = { "Auto-Submitted": "auto-generated" };

/** Never throws. */
export async function sendMail({ to, subject, text, link }: Mail): Promise<MailResult> {
  const { mail } = env();
  if (mail === null) return "off";
  if (!(await takesAddress(to.address))) {
    log.error({ code: "SMTPUTF8", host: mail.server.hostname }, "mail was not sent");
    return "failed";
  }
  const transport = createTransport(transportOf(mail.server));
  const said = link === undefined ? breakLinks(text) : text.split(link).map(breakLinks).join(link);
  const named = { ...to, name: breakLinks(to.name) };
  const sent = transport
    .sendMail({ from: mail.from, to: named, subject: breakLinks(subject), text: said, headers: NOBODY_WROTE })
    .finally(() => transport.close());
  return sent.then(
    () => "sent",
    (reason: unknown) => {
      // The error's message may quote the address; its code does not.
      const code = typeof reason === "object" && reason !== null && "code" in reason ? String(reason.code) : "unknown";
      log.error({ code, host: mail.server.hostname }, "mail was not sent");
      return "failed";
    },
  );
}
