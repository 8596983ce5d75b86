import { resolve } from "node:path";
import { type Verification, verifyRecord } from "@/lib/audit-trail/commands";
import { runCommand } from "@/lib/db/command";
import { numbers, ownPublicKey, readArguments, readPublicKey, runCommandLine } from "./command-line";

const USAGE = `usage: npm run audit:verify [-- --heads DIRECTORY]… [--trust PUBLIC_KEY_FILE]… | --public-key
Checks every row of the audit record, every head that was signed, that what came is being signed, that everybody holds the
roles which the record gave them, and that the triggers which keep the record are on; ends with code 1 when something is not as it should be.
--heads names a folder with copies of the signed heads, --trust the public key of an earlier AUDIT_KEY,
--public-key prints the present one.`;

const FAULTS: Record<NonNullable<Verification["fault"]>["kind"], (seq: number) => string> = {
  altered: (seq) => `row ${seq} is not as it was written, or the row before it was changed together with its hash`,
  missing: (seq) => `row ${seq} is missing`,
  inserted: (seq) => `row ${seq} was put in behind the end of the record`,
  truncated: (seq) => `row ${seq} and all after it were cut off`,
  restored: (seq) =>
    `row ${seq} and all after it are gone: an older copy was restored, or the end cut off with its head`,
  rewritten: (seq) => `from row ${seq} on the record is not the one that was signed: it was written anew`,
  "forged-head": (seq) => `the head that was signed for row ${seq} or after is not signed by a known key`,
  "missing-head": (seq) => `a head that was signed for row ${seq} or after was taken out`,
};

function showUnsigned(
  tenant: string,
  heads: number,
  { rows, since, isOverdue }: NonNullable<Verification["unsigned"]>,
) {
  const stand = `${tenant}: ${numbers.format(rows)} ${rows === 1 ? "row" : "rows"} since ${since} ${rows === 1 ? "is" : "are"}`;
  if (!isOverdue) console.log(`${stand} not signed yet`);
  else if (heads > 0)
    console.error(`${stand} not signed: no console runs that signs, or the folder of its heads is another`);
  else
    console.error(
      `${stand} not signed, and no head is there at all: whoever writes the database can write the record anew`,
    );
}

const named = (roles: readonly string[]) => roles.join(", ") || "no role";

function show({ tenant, rows, heads, cutShort, unsigned, fault, abandoned, unrecorded }: Verification): void {
  if (fault === null)
    console.log(`${tenant}: ${numbers.format(rows)} rows and ${numbers.format(heads)} signed heads, all sound`);
  else console.error(`${tenant}: ${FAULTS[fault.kind](fault.seq)} (sound up to row ${numbers.format(rows)})`);
  if (unsigned !== null && fault === null) showUnsigned(tenant, heads, unsigned);
  if (cutShort > 0)
    console.log(`${tenant}: ${cutShort} lines of the signed heads were cut short, as by a loss of power`);
  for (const { staffId, recorded, held } of unrecorded) {
    console.error(`${tenant}: ${staffId} holds ${named(held)}; the record gave ${named(recorded)}`);
  }
  for (const { intentId, seq, code } of abandoned) {
    console.log(`${tenant}: row ${seq} begins ${code} ${intentId}, and its end is not on record`);
  }
}

const several = { type: "string", multiple: true } as const;

async function verify(): Promise<void> {
  const { values } = readArguments({ options: { heads: several, trust: several, "public-key": { type: "boolean" } } });
  const { heads = [], trust = [], "public-key": isKeyWanted } = values;
  if (isKeyWanted === true) return console.log(ownPublicKey());
  const { missingTriggers, tenants } = await runCommand(verifyRecord, {
    directories: heads.map((directory) => resolve(directory)),
    publicKeys: trust.map(readPublicKey),
  });
  for (const name of missingTriggers)
    console.error(`the trigger ${name} is off or gone: rows can be changed in silence`);
  for (const tenant of tenants) show(tenant);
  const isUnsound = tenants.some(
    ({ fault, unsigned, unrecorded }) => fault !== null || unsigned?.isOverdue === true || unrecorded.length > 0,
  );
  if (isUnsound || missingTriggers.length > 0) process.exitCode = 1;
}

await runCommandLine(USAGE, verify);
