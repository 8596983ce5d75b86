import { type BankDoor, fetchToken } from "@/lib/bank/client";
import { BankError } from "@/lib/bank/error";
import { env, readCredentials } from "@/lib/env";
import { runProgram, say } from "./program.mjs";

function whatIsWrong({ kind, details: { status, code } }: BankError): string {
  if (status === undefined) return "does not answer; the console goes on trying";
  if (kind === "unavailable" || kind === "rate-limited") return `gives no token now (HTTP ${status})`;
  if (kind === "malformed") return `answers with something other than a token (HTTP ${status}, ${code})`;
  return `refuses the credentials (HTTP ${status}): check the Client_ID and its secret`;
}

/** One line on what a token request gives: whether the provider is there and knows the tenant. */
export async function askProvider(door: Pick<BankDoor, "tenant" | "fetch">): Promise<string> {
  const provider = `The provider at ${door.tenant.baseUrl}`;
  try {
    await fetchToken(door);
    return `${provider} answers and accepts the credentials.`;
  } catch (error) {
    if (error instanceof BankError) return `${provider} ${whatIsWrong(error)}.`;
    throw error;
  }
}

await runProgram(import.meta.url, async () => {
  const { tenants } = env();
  const asked = tenants.map((tenant) =>
    askProvider({ tenant: { ...tenant, ...readCredentials(tenant.clientId) }, fetch }),
  );
  const lines = await Promise.all(asked);
  for (const [index, line] of lines.entries()) say(lines.length === 1 ? line : `${tenants[index]?.name}: ${line}`);
});
