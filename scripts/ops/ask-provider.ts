import { BankError } from "@/lib/bank/answer";
import { requestToken } from "@/lib/bank/token";
import { sendOverHttp } from "@/lib/bank/wire-http";
import { env, readCredentials } from "@/lib/settings/env";
import { runProgram, say } from "@/scripts/program.mjs";

function whatIsWrong({ kind, details: { status, code } }: BankError): string {
  if (status === undefined) return "does not answer; the console goes on trying";
  if (kind === "unavailable" || kind === "rate-limited") return `gives no token now (HTTP ${status})`;
  if (kind === "malformed") return `answers with something other than a token (HTTP ${status}, ${code})`;
  return `refuses the credentials (HTTP ${status}): check the Client_ID and its secret`;
}

export async function tryProvider(
  asking: Parameters<typeof requestToken>[0],
): Promise<{ isAccepted: boolean; line: string }> {
  const provider = `The provider at ${asking.client.baseUrl}`;
  try {
    await requestToken(asking);
    return { isAccepted: true, line: `${provider} answers and accepts the credentials.` };
  } catch (error) {
    if (error instanceof BankError) return { isAccepted: false, line: `${provider} ${whatIsWrong(error)}.` };
    throw error;
  }
}

export const askProvider = async (asking: Parameters<typeof requestToken>[0]): Promise<string> =>
  (await tryProvider(asking)).line;

await runProgram(import.meta.url, async () => {
  const { tenants } = env();
  const asked = tenants.map((tenant) =>
    askProvider({ client: tenant, credentials: readCredentials(tenant.clientId), wire: sendOverHttp }),
  );
  const lines = await Promise.all(asked);
  for (const [index, line] of lines.entries()) say(lines.length === 1 ? line : `${tenants[index]?.name}: ${line}`);
});
