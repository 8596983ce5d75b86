import type { CapabilityName } from "@/lib/contract/capabilities";
import type { Difference, DifferenceKind } from "@/lib/contract/differences";
import type { ReadName } from "@/lib/contract/reads";
import type { ErrorKind } from "@/lib/errors/result";
import type { ShownBody } from "@/lib/text/shown-body";

/** Whose a PIX key is, is asked for with a reason only; the interface shows neither its parameters nor its answer. */
export type Explorable = Exclude<ReadName, "getPixKey">;

export type ChangeOnDay = { day: string; answers: number; of: number };

/** A field in which answers of an operation differ from the contract; newest day first. */
export type ChangeRow = {
  operation: string;
  is: DifferenceKind;
  field: string;
  found: string;
  documented: string;
  answers: number;
  of: number;
  firstAt: string;
  lastAt: string;
  days: ChangeOnDay[];
};

export type Changes = {
  rows: ChangeRow[];
  /** More than are shown. */
  hasMore: boolean;
  /** Answers that were compared in the period. */
  compared: number;
  asOf: string;
};

export type CapabilityRow = {
  name: CapabilityName;
  operation: string;
  told: number;
  of: number;
  firstAt: string | null;
  lastAt: string | null;
};

export type ParameterKind = "text" | "document" | "date" | "number" | "flag" | "choice";

export type Parameter = {
  name: string;
  place: "path" | "query";
  kind: ParameterKind;
  isRequired: boolean;
  /** Of a choice. */
  options: string[];
  /** Of a number. */
  least: number | null;
  most: number | null;
};

export type ExplorableRead = { name: Explorable; operation: string; isShown: boolean; parameters: Parameter[] };

/** `verdict` null: the interface does not show the answer. */
export type Explored = {
  operation: string;
  status: number | null;
  kind: ErrorKind | "ok";
  /** What the provider said of a refusal, for people; empty without. */
  said: string;
  /** Milliseconds; null of a refusal, which the log of calls has. */
  waitedMs: number | null;
  durationMs: number | null;
  sizeBytes: number | null;
  requestId: string;
  asOf: string;
  verdict: Difference[] | null;
  body: ShownBody | null;
  curl: string;
};
