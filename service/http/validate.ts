import type { z } from "zod";
import { ServiceError } from "@/service/error";

type Issue = z.core.$ZodIssue;

/** Of a union's branches, the one the sender meant: the one with the fewest faults at the top. */
function meant(branches: readonly Issue[][]): readonly Issue[] {
  const atTop = (issues: readonly Issue[]) => issues.filter((issue) => issue.path.length < 2).length;
  return branches.toSorted((one, other) => atTop(one) - atTop(other))[0] ?? [];
}

const COUNTED: Readonly<Record<string, string>> = { array: " item(s)", string: " character(s)" };
const bound = (limit: number | bigint, origin: string) => `${limit}${COUNTED[origin] ?? ""}`;

type Bound = { inclusive?: boolean | undefined };
const atLeast = ({ inclusive }: Bound) => (inclusive === false ? "more than" : "at least");
const atMost = ({ inclusive }: Bound) => (inclusive === false ? "less than" : "at most");

/** The contract's own words begin small, the library's do not. */
const isOurs = (message: string) => /^[a-z]/.test(message);

/** The contract's words, or ours in the place of the library's. */
function text(issue: Issue): string {
  if (issue.input === undefined) return "is required";
  if (isOurs(issue.message)) return issue.message;
  if (issue.code === "invalid_type") return `must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "too_small") return `must be ${atLeast(issue)} ${bound(issue.minimum, issue.origin)}`;
  if (issue.code === "too_big") return `must be ${atMost(issue)} ${bound(issue.maximum, issue.origin)}`;
  if (issue.code === "unrecognized_keys") return `has no field ${issue.keys.join(", ")}`;
  return "does not fit";
}

function describe(issue: Issue, parents: readonly PropertyKey[] = []): string {
  const path = [...parents, ...issue.path];
  if (issue.code === "invalid_union" && !isOurs(issue.message)) {
    const [first] = meant(issue.errors);
    if (first) return describe(first, path);
  }
  return `${path.length > 0 ? path.map(String).join(".") : "body"}: ${text(issue)}`;
}

/** Parses by the contract. Throws the 400 whose message names the first field that does not fit. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // What stood in the place of a fault is noted at a cost, and only a fault is worth it.
  const [first] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  throw new ServiceError(400, first ? describe(first) : "body: does not fit");
}
