import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { keyName } from "@/lib/audit/head";
import { Contents } from "@/lib/dossiers/contents";
import { type Altered, type Verification, verifyDossier } from "@/lib/dossiers/verify";
import { knownKeys, ownPublicKey, readArguments, runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run dossier:verify -- FILE [--key PUBLIC_KEY_FILE]… | -- --public-key
Checks whether a dossier, as JSON or as PDF, is what was sealed: offline, and without the database.
--key names the public key of the installation that it comes from; without it, it is checked against this one's own,
which AUDIT_KEY or DATA_DIR tells; no other setting is read.
--public-key prints that. Ends with 0 when it is valid, 1 when it was altered, 2 when an unknown key signed it.`;

const ALTERED: Record<Altered["what"], (sections: readonly string[]) => string> = {
  sections: (names) => `not as it was sealed: ${names.join(", ")}`,
  seal: () => "its seal was changed, or made by somebody without the key that it names",
  layout: () => "it says what was sealed, but was written anew: the bytes are others",
  pages: () => "the pages are not as they were printed; what is attached to them is as it was sealed",
  file: () => "it was cut short, or is no dossier",
};

const OPTIONS = { key: { type: "string", multiple: true }, "public-key": { type: "boolean" } } as const;

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`${file} cannot be read`);
  }
}

function printValid({ contents, sha256, signedBy }: Extract<Verification, { kind: "valid" }>): void {
  const known = Contents.safeParse(contents).data;
  if (known !== undefined) {
    const { about, decision, people, frozenAt, outcome } = known;
    const names = people.map(({ name, part }) => `${name} (${part})`).join(", ");
    console.log(`  ${about.object}: ${decision.decision}, ${outcome.state}, decided ${frozenAt} by ${names}`);
  }
  console.log(`  SHA-256 ${sha256}, signed with key ${signedBy}`);
}

function printResult(name: string, verification: Verification): void {
  if (verification.kind === "valid") {
    console.log(`${name}: valid`);
    printValid(verification);
  } else if (verification.kind === "altered") {
    console.error(`${name}: altered: ${ALTERED[verification.what](verification.sections)}`);
    process.exitCode = 1;
  } else {
    console.error(`${name}: signed by an unknown key, ${verification.signedBy}; name it with --key if you trust it`);
    process.exitCode = 2;
  }
}

async function verify(): Promise<void> {
  const { values, positionals } = readArguments({ options: OPTIONS, allowPositionals: true });
  const [file, ...others] = positionals;
  if (values["public-key"] === true) return console.log(ownPublicKey());
  if (file === undefined || others.length > 0) throw new UsageError("name one file");
  const bytes = readFile(file);
  const known = knownKeys(values.key);
  const verification = verifyDossier(bytes, known);
  printResult(basename(file), verification);
  if (verification.kind === "unknown-key") console.error(`known: ${known.map(keyName).join(", ")}`);
}

await runCommandLine(USAGE, verify);
