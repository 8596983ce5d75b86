import type { JobKind } from "./job";

/** Every kind of planned work. */
export const jobKinds: readonly JobKind[] = [];
