import { z } from "zod";
import { KYC_DECISIONS, KYC_PROCESSES, KYC_TYPES } from "@/lib/contract/kyc";
import { canBeStopped, stopsIn } from "@/lib/tipping-off";
import { CaseRules, Code, reasonsOf } from "./case-rules";

/** Without a code it is a new one, which is given its code when it is kept. */
const Named = { code: Code.nullable() };
const { reasons, checklist, ...others } = CaseRules.shape;
const Item = checklist.shape.PF.element.extend(Named);

type Wrong = { path: PropertyKey[]; code: string; word?: string };

/** Compared as people read them: what differs in case or space alone is the same. */
const twiceAmong = (texts: readonly string[]): number[] => {
  const read = texts.map((text) => text.toLowerCase().replaceAll(/\s+/g, " "));
  return read.flatMap((text, n) => (read.indexOf(text) < n ? [n] : []));
};

type Form = z.output<typeof Shape>;
const Shape = z.strictObject({
  ...others,
  reasons: z.array(reasons.element.extend(Named)).min(2).max(60),
  checklist: z.object({ PF: z.array(Item).max(20), PJ: z.array(Item).max(20) }),
  /** The version that the person saw. */
  version: z.int().min(0),
});

function wrongReasons(form: Form): Wrong[] {
  const stopped = form.reasons.flatMap(({ text, isRetired }, n): Wrong[] => {
    const [stop] = isRetired ? [] : stopsIn(text, form.stoppedWords);
    return stop === undefined ? [] : [{ path: ["reasons", n, "text"], code: "stopped-reason", word: stop.word }];
  });
  const texts = form.reasons.map(({ decision, text }) => `${decision} ${text}`);
  const repeated = twiceAmong(texts).map((n): Wrong => ({ path: ["reasons", n, "text"], code: "repeated" }));
  const kinds = KYC_PROCESSES.flatMap((process) => KYC_TYPES.map((kycType) => ({ process, kycType })));
  const isWhole = kinds.every((kind) => {
    const given = reasonsOf(form.reasons, kind);
    return KYC_DECISIONS.every((decision) => given.some((one) => one.decision === decision));
  });
  const missing: Wrong[] = isWhole ? [] : [{ path: ["reasons"], code: "one-of-each" }];
  return [...stopped, ...repeated, ...missing];
}

function wrongIn(form: Form): Wrong[] {
  const unfindable = form.stoppedWords.flatMap((word, n): Wrong[] =>
    canBeStopped(word) ? [] : [{ path: ["stoppedWords", n], code: "unfindable" }],
  );
  const items = (["PF", "PJ"] as const).flatMap((kind) =>
    twiceAmong(form.checklist[kind].map(({ text }) => text)).map((n): Wrong => ({
      path: ["checklist", kind, n, "text"],
      code: "repeated",
    })),
  );
  const words = twiceAmong(form.stoppedWords).map((n): Wrong => ({ path: ["stoppedWords", n], code: "repeated" }));
  const longest = Math.min(form.slaHours.PF, form.slaHours.PJ);
  const late: Wrong[] = form.dueSoonHours > longest ? [{ path: ["dueSoonHours"], code: "due-soon" }] : [];
  return [...wrongReasons(form), ...unfindable, ...items, ...words, ...late];
}

/** The rules as their form sends them. */
export const CaseRulesForm = Shape.superRefine((form, context) => {
  for (const { path, ...params } of wrongIn(form)) context.addIssue({ code: "custom", path, params, input: form });
});
export type CaseRulesForm = z.output<typeof CaseRulesForm>;
