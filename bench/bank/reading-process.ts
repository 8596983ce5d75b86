import { bank } from "@/lib/bank/client";
import { BankError } from "@/lib/bank/answer";
import { listKyc } from "@/lib/bank/operations";
import { db } from "@/lib/store/store";
import { person } from "./actors";
import { Reading } from "./reading";
import { answerQuestions } from "./worker";

async function read(page: number): Promise<string | null> {
  try {
    await bank.get(person("kyc:read"), listKyc, { query: { page, limit: 1 } });
    return null;
  } catch (error) {
    return error instanceof BankError ? error.message : String(error);
  }
}

answerQuestions(Reading, async ({ pages }) => {
  // Its migrations are no part of what is measured.
  await db();
  const outcomes = await Promise.all(pages.map(read));
  const failures: Record<string, number> = {};
  for (const reason of outcomes) if (reason !== null) failures[reason] = (failures[reason] ?? 0) + 1;
  return { answered: outcomes.filter((reason) => reason === null).length, failures };
});
