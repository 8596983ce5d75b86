import type messages from "@/messages/pt-BR.json";

export type FailureCode = keyof typeof messages.failures;

/** Why something may not be done now, as the `can.ts` of an area says it to its screen and to its verb. */
export type Denial<Code extends FailureCode = FailureCode> = { kind: "conflict" | "forbidden"; code: Code };

export const conflict = <Code extends FailureCode>(code: Code): Denial<Code> => ({ kind: "conflict", code });
export const forbidden = <Code extends FailureCode>(code: Code): Denial<Code> => ({ kind: "forbidden", code });
