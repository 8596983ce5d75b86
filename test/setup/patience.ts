import { vi } from "vitest";

const PATIENCE_MS = 20_000;

const { waitFor } = vi;

/** `vi.waitFor` gives up after a second, which is too short for two busy cores and a database. */
const waitPatiently: typeof waitFor = (check, options = {}) =>
  waitFor(check, { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) });

// Applied again for each file of a worker, whose `vi` stays the same.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently;
