import { z } from "zod";
import { SCENARIOS } from "./scenarios";
import { SCENARIO_NAMES } from "./view";

const MAX_TYPED = 100;

/** One of the closed list with what it takes; wrong fields are named as `values.<field>`. */
export const ScenarioRequest = z
  .object({ scenario: z.enum(SCENARIO_NAMES), values: z.record(z.string(), z.string().max(MAX_TYPED)) })
  .transform(({ scenario, values }, context) => {
    const checked = SCENARIOS[scenario].check(values);
    if (checked.ok) return { scenario, request: checked.request };
    for (const issue of checked.issues)
      context.addIssue({ ...issue, code: "custom", path: ["values", ...issue.path], input: "" });
    return z.NEVER;
  });
export type ScenarioRequest = z.output<typeof ScenarioRequest>;
