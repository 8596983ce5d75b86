import { setTimeout as sleep } from "node:timers/promises";
import { type CheckedOperation, checkProvider } from "@/lib/conformance/check-provider";
import { AppError } from "@/lib/errors/app-error";
import { sendOverHttp, WireError } from "@/lib/provider/wire-http";
import { env, readCredentials } from "@/lib/settings/env";
import { BankUrl } from "@/lib/settings/setting";
import { runProgram } from "@/scripts/program.mjs";
import { readArguments, runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run conform [-- --base-url URL] [--tenant CLIENT_ID]
Holds a provider's answers against the contract: its token, each documented GET that can be asked, and three errors. It sends
nothing but GETs and the questions about its own token, at most 60, and changes nothing.
--base-url asks another provider than the tenant's, with the tenant's credentials. --tenant names one of several.
Prints what differs, field by field, never a value. Ends with 0 without differences, 1 with some, 2 when nothing could be compared.`;

const OPTIONS = { "base-url": { type: "string" }, tenant: { type: "string" } } as const;

function readAsking(): { clientId: string; baseUrl: string } {
  const { values } = readArguments({ options: OPTIONS });
  const { tenants } = env();
  const named = values.tenant === undefined ? tenants : tenants.filter(({ clientId }) => clientId === values.tenant);
  const [tenant, another] = named;
  if (tenant === undefined) throw new UsageError(`${values.tenant} is the Client_ID of no tenant`);
  if (another !== undefined) throw new UsageError("name one tenant with --tenant: there are several");
  if (values["base-url"] === undefined) return tenant;
  const url = BankUrl.safeParse(values["base-url"]);
  if (!url.success) throw new UsageError(`--base-url ${url.error.issues[0]?.message ?? "is no URL"}`);
  return { clientId: tenant.clientId, baseUrl: url.data };
}

/** The report, a line each, and the exit code. */
export function reportOf(operations: readonly CheckedOperation[]): { lines: string[]; exitCode: 0 | 1 } {
  const lines = operations.flatMap(({ operation, compared, differences, why }) => {
    if (why !== null) return [`-       ${operation}: ${why}`];
    if (differences.length > 0) return differences.map((words) => `differs ${operation}: ${words}`);
    return [`ok      ${operation}: ${compared} compared`];
  });
  const differences = operations.reduce((sum, one) => sum + one.differences.length, 0);
  const compared = operations.filter(({ why }) => why === null).length;
  const closing = `${differences} differences in ${compared} operations; ${operations.length - compared} not compared`;
  return { lines: [...lines, closing], exitCode: differences === 0 ? 0 : 1 };
}

async function conform(): Promise<void> {
  const client = readAsking();
  const credentials = readCredentials(client.clientId);
  const asking = { client, credentials, wire: sendOverHttp, now: () => new Date(), sleep: (ms: number) => sleep(ms) };
  try {
    const { lines, exitCode } = reportOf(await checkProvider(asking));
    for (const line of lines) console.log(line);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof WireError)) throw error;
    console.error(`The provider at ${client.baseUrl} could not be asked: ${error.message}`);
    process.exitCode = 2;
  }
}

await runProgram(import.meta.url, () => runCommandLine(USAGE, conform));
