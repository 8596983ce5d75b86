import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { UNKNOWN_DEVICE } from "@/lib/auth/sign-in-try";
import { hashPassword } from "@/lib/auth/password";
import { signInTry, staffMembership } from "@/lib/auth/schema";
import { provePassword } from "@/lib/auth/sign-in";
import { readEnv, takeEnv } from "@/lib/settings/env";
import { staff } from "@/lib/store/schema";
import { store } from "@/lib/store/store";
import { runProgram, say } from "@/scripts/program.mjs";

const ROUNDS = 300;
const WARM_UP = 20;
const WITHIN_MS = 5;
const TENANT = "aurora";
const KNOWN = "known@bench.example";

const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** How long a refusal takes, in milliseconds; what slows guessing down is put back before each. */
async function refusal(email: string): Promise<number> {
  const { db } = await store();
  await db.delete(signInTry);
  const begun = performance.now();
  await provePassword({ email, password: "not the password", device: UNKNOWN_DEVICE });
  return performance.now() - begun;
}

async function hire(): Promise<void> {
  const { db } = await store();
  const id = randomUUID();
  const passwordHash = await hashPassword("a password of the bench");
  await db.insert(staff).values({ id, email: KNOWN, name: "Bench", passwordHash });
  await db.insert(staffMembership).values({ staffId: id, tenant: TENANT, roles: ["support"] });
}

/** Whether the time a refused sign-in takes tells a person's e-mail from one that nobody has. */
async function measure(): Promise<boolean> {
  const figures = { known: new Array<number>(), unknown: new Array<number>() };
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    // Turn about, so that whatever else the machine does falls on both.
    for (const kind of round % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
      const tookMs = await refusal(kind === "known" ? KNOWN : `${randomUUID()}@bench.example`);
      if (round >= 0) figures[kind].push(tookMs);
    }
  }
  const [known, unknown] = [median(figures.known), median(figures.unknown)];
  const apartMs = Math.abs(known - unknown);
  const isMet = apartMs < WITHIN_MS;
  say(
    `${isMet ? "✓" : "✗"} a wrong password takes ${known.toFixed(1)} ms, an e-mail that nobody has ${unknown.toFixed(1)} ms ` +
      `(medians of ${ROUNDS}): ${apartMs.toFixed(2)} ms apart (bound ${WITHIN_MS})`,
  );
  return isMet;
}

async function bench(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "sign-in-bench-"));
  const provider = { BANK_BASE_URL: "https://bank.example", BANK_CLIENT_ID: TENANT, BANK_CLIENT_SECRET: "none" };
  takeEnv(readEnv({ ...provider, DATA_DIR: dataDir }));
  try {
    await hire();
    if (!(await measure())) process.exitCode = 1;
  } finally {
    await (await store()).close();
    rmSync(dataDir, { recursive: true });
  }
}

await runProgram(import.meta.url, bench);
