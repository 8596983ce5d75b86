import { orderedDocument } from "./request-record";
import { record } from "@/lib/audit/record";
import { ageOn } from "@/lib/text/field-rules";
import { lookupHash } from "@/lib/db/seal";
import { db } from "@/lib/db/connection";
import { ADULT_AGE, civilDay } from "@/lib/text/time";
import type { AccountForm, AccountReviewing } from "./create-inputs";
import type { AccountReview } from "./view";
import { accountDuplicates } from "./create-duplicates";
import { type Creator, lookUpOnboarding, earlierOf } from "./create";

function minorAge(form: AccountForm): number | null {
  if (form.type === "PJ") return null;
  const age = ageOn(form.person.birthDate, civilDay(new Date()));
  return age < ADULT_AGE ? age : null;
}

const hostsOf = ({ bankDocuments }: AccountForm): string[] => [
  ...new Set(Object.values(bankDocuments).map((link) => new URL(link).host)),
];

export async function reviewAccount(actor: Creator, form: AccountReviewing): Promise<AccountReview> {
  const { tenant, id: staffId } = actor;
  const document = orderedDocument(form);
  const store = await db();
  await earlierOf(store, actor, form);
  await lookUpOnboarding(actor, document);
  const duplicates = await store.transaction(async (tx) => {
    const found = await accountDuplicates(tx, { tenant, document, except: null });
    const detail = { kind: form.type, document: lookupHash(document), likenesses: found.length };
    await record(tx, { tenant, actor: staffId, code: "onboarding.review-account", outcome: "DONE", detail });
    return found;
  });
  return {
    duplicates,
    hasLetters: /[A-Z]/.test(document),
    minorAge: minorAge(form),
    hosts: hostsOf(form),
  };
}
