const LOOPBACK = new Set(["localhost", "127.0.0.1"]);

export const NOT_A_WEB_ADDRESS = "must be an http(s) URL";

/** What keeps a text from being a webhook's URL, whatever its host resolves to; undefined when nothing does. */
export function faultOfWebhookUrl(url: string, allowLoopbackHttp: boolean): string | undefined {
  if (!URL.canParse(url)) return NOT_A_WEB_ADDRESS;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== "" || password !== "") return "must not carry a user or a password";
  if (protocol === "https:") return undefined;
  if (protocol !== "http:" || !LOOPBACK.has(hostname)) return "must be https";
  return allowLoopbackHttp ? undefined : "must be https (SERVICE_ALLOW_LOOPBACK_HTTP=true allows this machine's http)";
}
