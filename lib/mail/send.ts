import { createTransport } from "nodemailer";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { breakLinks, isLoopback } from "@/lib/text/safe-link";

const PATIENCE_MS = 10_000;

/** `link`: the one of ours that `text` holds; whatever else looks like one was typed by somebody. */
type Mail = { to: { name: string; address: string }; subject: string; text: string; link?: string };

export type MailResult = "sent" | "failed" | "off";

const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Our mails carry sign-in links: to another machine they go encrypted, or not at all. */
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

/** RFC 3834: an absence note is not answered to. */
const NOBODY_WROTE = { "Auto-Submitted": "auto-generated" };

/** Never throws. */
export async function sendMail({ to, subject, text, link }: Mail): Promise<MailResult> {
  const { mail } = env();
  if (mail === null) return "off";
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
