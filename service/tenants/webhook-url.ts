const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What keeps a URL from being a webhook's, whatever its host resolves to; undefined when nothing does. */
export function faultOfWebhookUrl(url: string, allowLoopbackHttp: boolean): string | undefined {
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return "must not carry a user or a password";
  if (protocol === "https:") return undefined;
  if (protocol !== "http:" || !LOOPBACK.has(hostname)) return "must be https";
  return allowLoopbackHttp ? undefined : "must be https (SERVICE_ALLOW_LOOPBACK_HTTP=true allows this machine's http)";
}
