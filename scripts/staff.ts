import { randomBytes } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { z } from "zod";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "@/lib/auth/password";
import { isRole, type Role, ROLES } from "@/lib/auth/permission";
import { runCommand } from "@/lib/command";
import { env, tenantOf } from "@/lib/env";
import { addPerson } from "@/lib/staff/commands";
import { runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run staff -- add EMAIL --name NAME --role ROLE[,ROLE] [--tenant CLIENT_ID|all]
roles: ${ROLES.join(", ")}
With several tenants --tenant is required. Who has an account already keeps its name and password.
The password is read from standard input; without one, it is made and printed once.`;

function readRoles(given: string | undefined): Role[] {
  const names = (given ?? "").split(",").filter((name) => name !== "");
  const wrong = names.find((name) => !isRole(name));
  if (wrong !== undefined) throw new UsageError(`${wrong} is not a role`);
  if (names.length === 0) throw new UsageError("--role is required");
  return names.filter(isRole);
}

/** The Client_IDs of the tenants that are meant. */
function readTenants(given: string | undefined): string[] {
  const all = env().tenants.map(({ clientId }) => clientId);
  if (given === "all" || (given === undefined && all.length === 1)) return all;
  const choice = `--tenant is required: all, or one of ${all.join(", ")}`;
  if (given === undefined) throw new UsageError(choice);
  if (tenantOf(given) === undefined) throw new UsageError(`${given} is the Client_ID of no tenant; ${choice}`);
  return [given];
}

async function readPassword(): Promise<{ password: string; isMade: boolean }> {
  const typed = process.stdin.isTTY ? "" : (await readText(process.stdin)).replace(/\r?\n$/, "");
  if (typed === "") return { password: randomBytes(12).toString("base64url"), isMade: true };
  if (typed.length < PASSWORD_MIN_LENGTH || typed.length > PASSWORD_MAX_LENGTH) {
    throw new UsageError(`the password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters`);
  }
  return { password: typed, isMade: false };
}

function readArguments() {
  try {
    const text = { type: "string" } as const;
    return parseArgs({ allowPositionals: true, options: { name: text, role: text, tenant: text } });
  } catch (error) {
    const [firstSentence] = String(error instanceof Error ? error.message : error).split(". ");
    throw new UsageError(firstSentence);
  }
}

async function add(): Promise<void> {
  const { values, positionals } = readArguments();
  const [verb, email = ""] = positionals;
  if (verb !== "add") throw new UsageError("the one command is add");
  if (!z.email().safeParse(email).success) throw new UsageError("an e-mail address is required");
  if (values.name === undefined || values.name.trim() === "") throw new UsageError("--name is required");
  const roles = readRoles(values.role);
  const tenants = readTenants(values.tenant);
  const { password, isMade } = await readPassword();
  const added = await runCommand(addPerson, { email, name: values.name, roles, password, tenants });
  const isOne = env().tenants.length === 1;
  if (added === null) throw new UsageError(`${email} has an account ${isOne ? "" : "there "}already`);
  const where = isOne ? "" : ` at ${added.tenants.map((clientId) => tenantOf(clientId)?.name).join(", ")}`;
  const how = added.isNew ? (isMade ? ` with the password ${password}` : "") : "; the password stays as it was";
  console.log(`${email} may sign in as ${roles.join(", ")}${where}${how}`);
}

await runCommandLine(USAGE, add);
