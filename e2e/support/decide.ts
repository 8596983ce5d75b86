import type { Locator } from "@playwright/test";
import type { Words } from "./words";

type Written = { decision?: "APPROVED" | "REPROVED"; addition?: string };

/** Fills a decision: its outcome, the first matching reason and the whole checklist. */
export async function fillDecision(dialog: Locator, say: Words, written: Written = {}): Promise<void> {
  const { decision = "APPROVED", addition = "" } = written;
  await dialog.getByRole("radio", { name: say(decision === "APPROVED" ? "kyc.approve" : "kyc.reprove") }).check();
  await reasonsIn(dialog, say).getByRole("radio").first().check();
  if (decision === "APPROVED") {
    const checklist = dialog.getByRole("group", { name: say("kyc.checklist") });
    for (const item of await checklist.getByRole("checkbox").all()) await item.check();
  }
  if (addition !== "") await additionIn(dialog, say).fill(addition);
}

export const reasonsIn = (dialog: Locator, say: Words): Locator =>
  dialog.getByRole("group", { name: say("kyc.reason"), exact: true });

/** The text sent after the reason. */
export const additionIn = (dialog: Locator, say: Words): Locator =>
  dialog.getByLabel(say("kyc.addition"), { exact: true });

export const noteIn = (dialog: Locator, say: Words): Locator => dialog.getByLabel(say("kyc.note"), { exact: true });
