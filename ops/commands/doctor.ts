import { AppError } from "@/lib/errors/app-error";
import { requestToken } from "@/lib/provider/token-request";
import { sendOverHttp } from "@/lib/provider/wire-http";
import { env, readCredentials, type Env } from "@/lib/settings/env";
import { runProgram, say } from "@/scripts/program.mjs";
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { runCommand, CommandRefusal } from "@/lib/db/command";
import { examineStore } from "@/lib/boot/doctor";
import { certificateEnd } from "@/lib/health/certificate";
import { EmbeddedDatabaseError } from "@/lib/db/embedded";
import { isLoopback } from "@/lib/text/safe-link";
import { SettingError } from "@/lib/settings/setting";
import { isAsked, runCommandLine } from "./command-line";

function whatIsWrong({ kind, details: { status, code } }: AppError): string {
  if (status === undefined) return "does not answer; the console goes on trying";
  if (kind === "unavailable" || kind === "rate-limited") return `gives no token now (HTTP ${status})`;
  if (kind === "malformed") return `answers with something other than a token (HTTP ${status}, ${code})`;
  return `refuses the credentials (HTTP ${status}): check the Client_ID and its secret`;
}

async function tryProvider(asking: Parameters<typeof requestToken>[0]): Promise<{ isAccepted: boolean; line: string }> {
  const provider = `The provider at ${asking.client.baseUrl}`;
  try {
    await requestToken(asking);
    return { isAccepted: true, line: `${provider} answers and accepts the credentials.` };
  } catch (error) {
    if (error instanceof AppError) return { isAccepted: false, line: `${provider} ${whatIsWrong(error)}.` };
    throw error;
  }
}

export const askProvider = async (asking: Parameters<typeof requestToken>[0]): Promise<string> =>
  (await tryProvider(asking)).line;

async function reportProviders(): Promise<void> {
  const { tenants } = env();
  const asked = tenants.map((tenant) =>
    askProvider({ client: tenant, credentials: readCredentials(tenant.clientId), wire: sendOverHttp }),
  );
  const lines = await Promise.all(asked);
  for (const [index, line] of lines.entries()) say(lines.length === 1 ? line : `${tenants[index]?.name}: ${line}`);
}

const USAGE = `usage: npm run doctor [-- --providers]
Looks at an installation as it stands: settings, keys, database, audit record, provider, clocks, the public address and its
certificate, disks. A line each: "ok", "warn" for what should not stay so, "bad" for what does not work; ends with code 1
when one is bad. As every command it opens the database as the console does, which brings the tables up to date.
--providers asks each provider for a token, says what came of it in a sentence, and opens nothing.`;

type Finding = { level: "ok" | "warn" | "bad"; about: string; text: string };

const PATIENCE_MS = 5_000;
/** An authenticator code is valid for half a minute. */
const CLOCK_MS = 15_000;
const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

const ok = (about: string, text: string): Finding => ({ level: "ok", about, text });
const warn = (about: string, text: string): Finding => ({ level: "warn", about, text });
const bad = (about: string, text: string): Finding => ({ level: "bad", about, text });

/** `ECONNREFUSED`, `self-signed certificate`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

async function ask(url: URL): Promise<Response | string> {
  try {
    return await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    return reasonOf(error);
  }
}

export function compareClocks(about: string, aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const stand = `is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} this machine`;
  if (Math.abs(aheadMs) < CLOCK_MS) return ok(about, "agrees with this machine");
  return warn(about, `${stand}: codes of authenticator apps and times on screen go by this machine, so run NTP here`);
}

async function examineProviders({ tenants }: Pick<Env, "tenants">): Promise<Finding[]> {
  const each = tenants.map(async (tenant) => {
    const credentials = readCredentials(tenant.clientId);
    const { isAccepted, line } = await tryProvider({ client: tenant, credentials, wire: sendOverHttp });
    const asked = Date.now();
    const answer = await ask(new URL(tenant.baseUrl));
    const date = Date.parse((typeof answer === "string" ? null : answer.headers.get("date")) ?? "");
    const finding = (isAccepted ? ok : bad)(`provider of ${tenant.name}`, line);
    // The header has whole seconds, for some moment between the request and now.
    const clock = compareClocks(`clock of ${tenant.name}'s provider`, date + 500 - (asked + Date.now()) / 2);
    return Number.isNaN(date) ? [finding] : [finding, clock];
  });
  return (await Promise.all(each)).flat();
}

async function examineCertificate(publicUrl: URL): Promise<Finding[]> {
  const end = await certificateEnd(publicUrl);
  if (end === null) return [];
  const days = Math.floor((end.getTime() - Date.now()) / DAY_MS);
  const text = days < 0 ? "has ended" : `ends in ${days} days`;
  return [days < 0 ? bad("certificate", text) : days < 14 ? warn("certificate", text) : ok("certificate", text)];
}

async function addressFinding(publicUrl: URL): Promise<Finding> {
  const about = "public address";
  const { origin, protocol, hostname } = publicUrl;
  const answer = await ask(new URL("/api/health/ready", publicUrl));
  if (typeof answer === "string") {
    return bad(about, `${origin} does not answer (${answer}): is the console running, and the proxy?`);
  }
  const { status, headers } = answer;
  if (headers.get("x-frame-options") !== "DENY") {
    const whose = "it is not this console, or the proxy takes them off";
    return bad(about, `${origin} answers (HTTP ${status}) without the console's headers: ${whose}`);
  }
  if (status !== 200)
    return bad(about, `${origin} answers HTTP ${status}: the console runs and cannot reach its store`);
  if (protocol === "https:" && !headers.has("strict-transport-security")) {
    return warn(about, `${origin} answers without Strict-Transport-Security: the proxy takes it off`);
  }
  if (protocol !== "https:" && !isLoopback(hostname)) {
    return warn(about, `${origin} is http: passwords and cookies travel in clear`);
  }
  return ok(about, `${origin} answers as ready, with the console's headers`);
}

export const examineAddress = async (publicUrl: URL): Promise<Finding[]> => [
  await addressFinding(publicUrl),
  ...(await examineCertificate(publicUrl)),
];

function examineProxies(
  publicUrl: URL,
  { TRUSTED_PROXIES, TLS_CERT_FILE }: Record<string, string | undefined>,
): Finding {
  if (TRUSTED_PROXIES !== undefined && TRUSTED_PROXIES !== "none")
    return ok("proxies", `X-Forwarded-For of ${TRUSTED_PROXIES} is believed`);
  if (publicUrl.protocol === "https:" && TLS_CERT_FILE === undefined) {
    return warn(
      "proxies",
      "TRUSTED_PROXIES is none: everybody behind the proxy counts as one address, and one who guesses holds all back",
    );
  }
  return ok("proxies", "none is believed: guesses are counted by the address that connects");
}

function examineFolder(about: string, folder: string): Finding {
  if (!existsSync(folder)) return warn(about, `${folder} is not there yet: the console makes it`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return bad(about, `${folder} cannot be written to by this user`);
  }
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${folder}: ${(free / GIB).toFixed(1)} GiB free`;
  return free < GIB ? warn(about, text) : ok(about, text);
}

async function examineDatabase(): Promise<Finding[]> {
  try {
    const { version, aheadMs, missingTriggers, records } = await runCommand(examineStore, {});
    const [name = version] = /^\S+ [\d.]+/.exec(version) ?? [];
    return [
      ok("database", `${name}: its tables are of this version, and the data key opens them`),
      compareClocks("clock of the database", aheadMs),
      missingTriggers.length === 0
        ? ok("audit triggers", "on")
        : bad("audit triggers", `${missingTriggers.join(", ")} off or gone: rows can be changed in silence`),
      ...records.map(({ tenant, signedAt, overdueRows }) =>
        overdueRows > 0
          ? bad(
              `audit record of ${tenant}`,
              `${overdueRows} rows are not signed (last: ${signedAt ?? "never"}): no console runs that signs into this AUDIT_HEADS_DIR`,
            )
          : ok(`audit record of ${tenant}`, signedAt === null ? "nothing to sign yet" : `signed, last at ${signedAt}`),
      ),
    ];
  } catch (error) {
    const isAnswer =
      error instanceof SettingError || error instanceof EmbeddedDatabaseError || error instanceof CommandRefusal;
    // The driver's message names the cause: a refused connection, a wrong password.
    return [bad("database", isAnswer ? error.message : reasonOf(error))];
  }
}

async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  const settings = env();
  const { publicUrl, dataDir, auditHeadsDir, warnings, isEmbedded } = settings;
  return [
    ok("settings", isEmbedded ? "read; the provider is the embedded service" : "read"),
    ...warnings.map((warning) => warn("settings", warning)),
    ...(await examineDatabase()),
    examineFolder("data folder", dataDir),
    examineFolder("folder of signed heads", auditHeadsDir),
    ...(await examineProviders(settings)),
    ...(await examineAddress(publicUrl)),
    examineProxies(publicUrl, environment),
  ];
}

await runProgram(import.meta.url, () =>
  runCommandLine(USAGE, async () => {
    if (isAsked("providers")) return reportProviders();
    const findings = await examine(process.env);
    for (const { level, about, text } of findings) console.log(`${level.padEnd(5)}${about}: ${text}`);
    if (findings.some(({ level }) => level === "bad")) process.exitCode = 1;
  }),
);
