import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Step, steps, World } from "@/test/support/service/model";

const RUNS = Number(process.env["MODEL_RUNS"] || 20);
const SEED = Number(process.env["MODEL_SEED"] || Date.now() % 1_000_000_000);
const STEPS = 50;

async function live(lived: readonly Step[]): Promise<void> {
  const world = await World.begin();
  for (const step of lived) await world.perform(step);
  await world.expectSameStatements();
}

test("matches the simplest model after any steps in any order", { timeout: RUNS * 10_000 }, async () => {
  let performed = 0;
  const counted = async (lived: readonly Step[]) => {
    await live(lived);
    performed += lived.length;
  };
  const lives = fc.array(steps, { minLength: STEPS, maxLength: STEPS });
  await fc.assert(fc.asyncProperty(lives, counted), { numRuns: RUNS, seed: SEED });
  expect(performed).toBe(RUNS * STEPS);
  console.log(`model: ${RUNS} runs, ${performed} steps, 0 violations, seed ${SEED}`);
});
