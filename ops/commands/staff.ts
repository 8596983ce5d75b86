import { randomBytes } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { isRole, type Role, ROLES } from "@/lib/permission/permission";
import { needsSecondFactor } from "@/lib/auth/sessions";
import { runCommand } from "@/lib/db/command";
import { env, tenantOf } from "@/lib/settings/env";
import * as staff from "@/lib/staff/commands";
import { readArguments, runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run staff -- COMMAND
  list                                          who works where, and who is invited
  add EMAIL --name NAME --role ROLE[,ROLE]      makes an account, or lets one that there is into a tenant
  invite EMAIL --name NAME --role ROLE[,ROLE]   prints a link, good once, for 24 hours
  roles EMAIL --role ROLE[,ROLE]                gives these roles in the place of those held
  disable EMAIL                                 out at once: everywhere, or at one tenant
  enable EMAIL                                  back with the same roles
  reset-mfa EMAIL                               takes the second factor away and ends the sessions
  password-link EMAIL                           prints a link for a new password, good once, for an hour
  addresses [--off]                             from which addresses people may work; --off: from anywhere again
  break-glass EMAIL [--off]                     keeps a password beside the company's sign-in, for the day that is down
each with --tenant CLIENT_ID where only one tenant is meant; with several tenants add, invite and roles need it, or all
roles: ${ROLES.join(", ")}
add and break-glass read the password from standard input; without one, it is made and printed once. To add who has an account changes no password.`;

const text = { type: "string" } as const;
const OPTIONS = { name: text, role: text, tenant: text, off: { type: "boolean" } } as const;

type StaffOptions = Record<"name" | "role" | "tenant", string | undefined> & { email: string; isOff: boolean };

function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === "") throw new UsageError(`${what} is required`);
  return value;
}

const emailIn = ({ email }: StaffOptions) => required(email, "an e-mail address");

function rolesIn({ role }: StaffOptions): Role[] {
  const names = (role ?? "").split(",").filter((name) => name !== "");
  const wrong = names.find((name) => !isRole(name));
  if (wrong !== undefined) throw new UsageError(`${wrong} is not a role`);
  if (names.length === 0) throw new UsageError("--role is required");
  return names.filter(isRole);
}

const allTenants = () => env().tenants.map(({ clientId }) => clientId);

function tenantsIn({ tenant }: StaffOptions): string[] {
  const all = allTenants();
  if (tenant === "all" || (tenant === undefined && all.length === 1)) return all;
  return [oneTenant(required(tenant, `--tenant (all, or one of ${all.join(", ")})`))];
}

function oneTenant(clientId: string): string {
  if (tenantOf(clientId) === undefined) {
    throw new UsageError(`${clientId} is the Client_ID of no tenant; there is ${allTenants().join(", ")}`);
  }
  return clientId;
}

/** Null: all current and future ones. */
const targetIn = ({ tenant }: StaffOptions) => (tenant === undefined || tenant === "all" ? null : oneTenant(tenant));

const named = (clientId: string) => tenantOf(clientId)?.name ?? clientId;
const at = (clientIds: readonly string[]) =>
  allTenants().length === 1 ? "" : ` at ${clientIds.map((clientId) => named(clientId)).join(", ")}`;

async function readPassword(): Promise<{ password: string; isMade: boolean }> {
  const typed = process.stdin.isTTY ? "" : (await readText(process.stdin)).replace(/\r?\n$/, "");
  if (typed !== "") return { password: typed, isMade: false };
  return { password: randomBytes(12).toString("base64url"), isMade: true };
}

function sayOfFactor(roles: readonly Role[]): void {
  if (!needsSecondFactor(roles)) return;
  console.log("Their role needs a second factor: at sign-in they are asked to set one up before anything else.");
}

async function addPerson(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const name = required(given.name, "--name");
  const roles = rolesIn(given);
  const tenants = tenantsIn(given);
  const { password, isMade } = await readPassword();
  const added = await runCommand(staff.addPerson, { email, name, roles, password, tenants });
  if (added === null) throw new UsageError(`${email} has an account ${at(tenants) === "" ? "" : "there "}already`);
  const how = added.isNew ? (isMade ? ` with the password ${password}` : "") : "; the password stays as it was";
  console.log(`${email} may sign in as ${roles.join(", ")}${at(added.tenants)}${how}`);
  sayOfFactor(roles);
}

async function invitePerson(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const name = required(given.name, "--name");
  const roles = rolesIn(given);
  const tenants = tenantsIn(given);
  for (const tenant of tenants) {
    const { link, expiresAt } = await runCommand(staff.inviteByCommand, { email, name, roles, tenant });
    console.log(
      `${email} is invited as ${roles.join(", ")}${at([tenant])}; the link is good once, until ${expiresAt}:`,
    );
    console.log(link);
  }
  sayOfFactor(roles);
}

async function setRoles(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const wanted = rolesIn(given);
  const tenants = tenantsIn(given);
  await runCommand(staff.setPersonRoles, { email, roles: wanted, tenants });
  console.log(`${email} now works as ${wanted.join(", ")}${at(tenants)}; their sessions have ended`);
  sayOfFactor(wanted);
}

async function disable(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const tenant = targetIn(given);
  await runCommand(staff.disableAccount, { email, tenant });
  console.log(`${email} is out${tenant === null ? "" : at([tenant])}`);
}

async function enable(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const tenant = targetIn(given);
  await runCommand(staff.enableAccount, { email, tenant });
  console.log(`${email} may sign in again${tenant === null ? "" : at([tenant])}`);
}

async function resetMfa(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const hadOne = await runCommand(staff.resetSecondFactor, { email });
  console.log(hadOne ? `${email} has no second factor any more` : `${email} had no second factor`);
}

async function issuePasswordLink(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  const { link, expiresAt } = await runCommand(staff.linkByCommand, { email });
  console.log(`whoever has this link chooses the password of ${email}; it is good once, until ${expiresAt}:`);
  console.log(link);
}

async function keepPassword(given: StaffOptions): Promise<void> {
  const email = emailIn(given);
  if (given.isOff) {
    await runCommand(staff.setBreakGlassAccount, { email, password: null });
    console.log(`${email} is no break-glass account any more; their sessions have ended`);
    return;
  }
  const { password, isMade } = await readPassword();
  await runCommand(staff.setBreakGlassAccount, { email, password });
  const how = isMade ? ` ${password}` : "";
  console.log(`${email} keeps the password${how} beside the company's sign-in; their sessions have ended`);
}

async function showAddresses(given: StaffOptions): Promise<void> {
  const tenants = given.isOff ? tenantsIn(given) : targetIn(given) === null ? allTenants() : tenantsIn(given);
  for (const { tenant, networks } of await runCommand(staff.addressesByCommand, { tenants, isOff: given.isOff }))
    console.log(`${named(tenant)}: ${networks.length === 0 ? "from anywhere" : networks.join(" ")}`);
}

async function listPeople(given: StaffOptions): Promise<void> {
  const tenants = given.tenant === undefined || given.tenant === "all" ? allTenants() : [oneTenant(given.tenant)];
  const people = await runCommand(staff.listPeople, { tenants });
  const rows = people.map((person) => [
    ...(allTenants().length === 1 ? [] : [named(person.tenant)]),
    person.email,
    person.name,
    person.roles.join(","),
    person.state,
    person.hasSecondFactor === null ? "" : person.hasSecondFactor ? "second factor" : "no second factor",
    person.isBreakGlass ? "break-glass" : "",
    person.lastActiveAt ?? "",
  ]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

const COMMANDS = new Map(
  Object.entries({
    list: listPeople,
    add: addPerson,
    invite: invitePerson,
    roles: setRoles,
    disable,
    enable,
    "reset-mfa": resetMfa,
    "password-link": issuePasswordLink,
    "break-glass": keepPassword,
    addresses: showAddresses,
  }),
);

await runCommandLine(USAGE, async () => {
  const { values, positionals } = readArguments({ allowPositionals: true, options: OPTIONS });
  const [verb = "", email = "", ...more] = positionals;
  const run = COMMANDS.get(verb);
  if (run === undefined) throw new UsageError(verb === "" ? "a command is required" : `${verb} is no command`);
  if (more.length > 0) throw new UsageError(`${more.join(" ")} is one word too many`);
  const isOff = values.off === true;
  await run({ email, isOff, name: values.name, role: values.role, tenant: values.tenant });
});
