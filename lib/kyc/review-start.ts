import { record } from "@/lib/audit/record";
import { ageOn } from "@/lib/text/field-rules";
import { lookupHash } from "@/lib/db/seal";
import { db } from "@/lib/db/connection";
import { ADULT_AGE, civilDay } from "@/lib/text/time";
import type { StartForm } from "./inputs";
import type { StartReview } from "./view";
import { startDuplicates } from "./start-duplicates";
import { type Starter, subjectOf, membersOf } from "./start";

function minorsOf(form: StartForm): StartReview["minors"] {
  const today = civilDay(new Date());
  return [subjectOf(form), ...membersOf(form)]
    .flatMap(({ name, birthDate }) => (birthDate === null ? [] : [{ name, age: ageOn(birthDate, today) }]))
    .filter(({ age }) => age < ADULT_AGE);
}

export async function reviewStart(actor: Starter, form: StartForm): Promise<StartReview> {
  const { tenant, id: staffId } = actor;
  const { type, vatNumber: document } = form;
  const duplicates = await (
    await db()
  ).transaction(async (tx) => {
    const found = await startDuplicates(tx, { tenant, type, document, except: null });
    const detail = { kind: type, document: lookupHash(document), likenesses: found.length };
    await record(tx, { tenant, actor: staffId, code: "kyc.review-start", outcome: "DONE", detail });
    return found;
  });
  return {
    type,
    model: form.backgroundcheckModel,
    documentscopy: form.documentscopyFlag,
    duplicates,
    hasLetters: type === "PJ" && /[A-Z]/.test(document),
    minors: minorsOf(form),
  };
}
