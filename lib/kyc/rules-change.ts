import { eq, sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { BankError } from "@/lib/bank/error";
import { publish } from "@/lib/live/publish";
import { db, type Tx } from "@/lib/store/store";
import { type CaseRules, caseRulesOf, type RulesInForce, STANDARD_RULES, type StoredRules } from "./case-rules";
import { changesBetween, detailOf } from "./rules-diff";
import type { CaseRulesForm } from "./rules-form";
import { kycCaseRules } from "./schema";

const codesOf = ({ reasons, checklist }: StoredRules) =>
  [...reasons, ...checklist.PF, ...checklist.PJ].map(({ code }) => code);

/** Every code that ever meant something at the tenant: none of them comes to mean something else. */
async function takenCodes(tx: Tx, tenant: string): Promise<Set<string>> {
  const rows = await tx.select({ rules: kycCaseRules.rules }).from(kycCaseRules).where(eq(kycCaseRules.tenant, tenant));
  return new Set([STANDARD_RULES, ...rows.map(({ rules }) => rules)].flatMap(codesOf));
}

const LONGEST_CODE = 40;

/** The words of the text as a code: `Documento ilegível` becomes `documento-ilegivel`. */
function codeFrom(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, LONGEST_CODE);
  return words.replaceAll(/^-|-$/g, "") || "item";
}

function newCode(text: string, taken: Set<string>): string {
  const code = codeFrom(text);
  let free = code;
  for (let n = 2; taken.has(free); n += 1) free = `${code}-${n}`;
  taken.add(free);
  return free;
}

type Named = { code: string | null; text: string };

const withCodes = <Item extends Named>(items: readonly Item[], taken: Set<string>) =>
  items.map((item) => ({ ...item, code: item.code ?? newCode(item.text, taken) }));

/** A code keeps its meaning: none is made up, and a reason does not come to be one for the other outcome. */
function refuseForeignCodes(before: CaseRules, form: CaseRulesForm): void {
  const wrong = form.reasons.flatMap(({ code, decision }, n) => {
    const known = before.reasons.find((reason) => reason.code === code);
    return code === null || known?.decision === decision ? [] : [["reasons", n, "text"]];
  });
  const items = (["PF", "PJ"] as const).flatMap((kind) =>
    form.checklist[kind].flatMap(({ code }, n) =>
      code === null || before.checklist[kind].some((item) => item.code === code)
        ? []
        : [["checklist", kind, n, "text"]],
    ),
  );
  const issues = [...wrong, ...items].map((path) => ({ path, params: { code: "reason-code" } }));
  if (issues.length > 0) throw new BankError("invalid", { issues });
}

/**
 * Puts other rules in force for what is decided, and for what begins to wait, from now on. Throws conflict `rules-changed`
 * when somebody changed them since the form opened, and invalid, which names the fields.
 */
export async function changeCaseRules(actor: Actor<"settings:manage">, form: CaseRulesForm): Promise<RulesInForce> {
  const { tenant, id: staffId } = actor;
  return (await db()).transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`${tenant} kyc rules`}))`);
    const { version: latest, rules: before } = await caseRulesOf(tx, tenant);
    const { version: seen, ...given } = form;
    if (seen !== latest) throw new BankError("conflict", { code: "rules-changed" });
    refuseForeignCodes(before, form);
    const taken = await takenCodes(tx, tenant);
    const rules: CaseRules = {
      ...given,
      reasons: withCodes(given.reasons, taken),
      checklist: { PF: withCodes(given.checklist.PF, taken), PJ: withCodes(given.checklist.PJ, taken) },
    };
    const version = latest + 1;
    const changes = changesBetween(before, rules);
    if (changes.length === 0) return { version: latest, rules: before };
    await tx.insert(kycCaseRules).values({ tenant, version, rules, staffId, createdAt: sql`clock_timestamp()` });
    await publish(tx, { tenant, topic: "kyc" });
    const detail = { version, ...detailOf(before, rules) };
    const what = { code: "settings.kyc-rules", object: "kyc-rules:cases", detail } as const;
    await record(tx, { tenant, actor: staffId, outcome: "DONE", ...what });
    return { version, rules };
  });
}
