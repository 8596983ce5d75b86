/** Why something may not be done now, as the `can.ts` of an area says it to its screen and to its verb. */
export type Denial<Code extends string = string> = { kind: "conflict" | "forbidden"; code: Code };

export const conflict = <Code extends string>(code: Code): Denial<Code> => ({ kind: "conflict", code });
export const forbidden = <Code extends string>(code: Code): Denial<Code> => ({ kind: "forbidden", code });
