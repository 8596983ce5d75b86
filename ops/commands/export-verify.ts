import { basename } from "node:path";
import { existsSync } from "node:fs";
import { keyName } from "@/lib/audit/head";
import { verifyMovementFile } from "@/lib/movements/verify";
import { knownKeys, ownPublicKey, readArguments, runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run export:verify -- FILE [--key PUBLIC_KEY_FILE]… | -- --public-key
Checks whether a file of movements, as CSV or as a zip of OFX, is what was exported: offline, and without the database.
--key names the public key of the installation that it comes from; without it, it is checked against this one's own,
which AUDIT_KEY or DATA_DIR tells; no other setting is read.
--public-key prints that. Ends with 0 when it is valid, 1 when it was altered, 2 when an unknown key signed it.`;

const OPTIONS = { key: { type: "string", multiple: true }, "public-key": { type: "boolean" } } as const;

async function verify(): Promise<void> {
  const { values, positionals } = readArguments({ options: OPTIONS, allowPositionals: true });
  const [file, ...others] = positionals;
  if (values["public-key"] === true) return console.log(ownPublicKey());
  if (file === undefined || others.length > 0) throw new UsageError("name one file");
  if (!existsSync(file)) throw new UsageError(`${file} cannot be read`);
  const known = knownKeys(values.key);
  const verification = await verifyMovementFile(file, known);
  const name = basename(file);
  if (verification.kind === "valid") {
    console.log(`${name}: valid`);
    console.log(`  SHA-256 ${verification.sha256}, signed with key ${verification.signedBy}`);
  } else if (verification.kind === "altered") {
    console.error(`${name}: altered: it is not as it was exported, was cut short, or is no export`);
    process.exitCode = 1;
  } else {
    console.error(`${name}: signed by an unknown key, ${verification.signedBy}; name it with --key if you trust it`);
    console.error(`known: ${known.map(keyName).join(", ")}`);
    process.exitCode = 2;
  }
}

await runCommandLine(USAGE, verify);
