import { vi } from "vitest";

const PATIENCE_MS = 20_000;

const { waitFor } = vi;

/** `vi.waitFor` gives up after a second, in which two busy cores and a database may not get there. */
const waitPatiently: typeof waitFor = (check, options = {}) =>
  waitFor(check, { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) });

// Read anew for each file of a worker, whose `vi` stays the same.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently;
