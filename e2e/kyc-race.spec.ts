import type { Page } from "@playwright/test";
import { openColleagueSession } from "./support/colleague";
import { additionIn, fillDecision } from "./support/decide";
import { inventCpf } from "./support/invent";
import { untilSeen } from "./support/sight";
import { expect, test } from "./support/story";
import type { Words } from "./support/words";

async function openDecision(page: Page, say: Words) {
  await page.getByRole("button", { name: say("kyc.decide"), exact: true }).click();
  return page.getByRole("dialog");
}

/** This window gets no live changes, as behind a proxy that blocks streams. */
async function deafen(page: Page): Promise<void> {
  await page.route(/\/api\/live/, (route) => route.abort());
}

const sends = (page: Page) => page.getByRole("dialog").locator("button[type=submit]");

test(
  "two analysts decide one case: one wins, the other sees who and loses no text",
  { tag: "@long" },
  async ({ signedInAs, browser, product, provider, say, language }) => {
    test.slow();
    const kycUUID = await provider.openCase(inventCpf().digits);
    const rafael = await signedInAs("compliance");
    await deafen(rafael);
    await untilSeen(rafael, "/api/kyc?status=PENDING&sort=arrival", kycUUID);
    await rafael.goto(`/kyc/${kycUUID}`);
    await rafael.getByRole("button", { name: say("triage.claim"), exact: true }).click();
    await expect(rafael.getByRole("button", { name: say("triage.release") })).toBeVisible();
    const hisDialog = await openDecision(rafael, say);
    await fillDecision(hisDialog, say, { decision: "REPROVED", addition: "Verso cortado." });

    const { url } = product;
    const storageState = await openColleagueSession(browser, { ...product, language }, "compliance");
    const context = await browser.newContext({ baseURL: url, storageState });
    const clara = await context.newPage();
    await clara.goto(`/kyc/${kycUUID}`);
    const herDialog = await openDecision(clara, say);
    await expect(herDialog.getByText(/^Rafael Tavares /)).toBeVisible();
    await herDialog.getByRole("button", { name: say("kyc.takeOver") }).click();
    await fillDecision(herDialog, say, { addition: "Verso conferido." });

    await Promise.all([sends(rafael).click(), sends(clara).click()]);
    await expect(herDialog).toBeHidden();
    await expect(hisDialog.getByText(/^Clara Nunes .*\d\d:\d\d/).first()).toBeVisible();
    await expect(hisDialog.getByRole("row", { name: new RegExp(`^${say("kyc.with")} `) })).toContainText("Clara Nunes");
    expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

    // He goes back and sees the other decision and the case's state, with his text intact.
    await sends(rafael).click();
    await expect(
      rafael
        .getByText(
          say("kyc.decidedMeanwhile", { decision: "APPROVED", name: "Clara Nunes", time: "@" }).split("@")[0] ?? "",
        )
        .first(),
    ).toBeVisible();
    await expect(additionIn(rafael.getByRole("dialog"), say)).toHaveValue("Verso cortado.");
    await expect(rafael.getByRole("dialog").getByText(say("kyc.reviewBody"))).toBeVisible();
    await fillDecision(rafael.getByRole("dialog"), say, { decision: "REPROVED" });
    await expect(sends(rafael)).toHaveText(say("approvals.submitPropose"));
    expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

    const decisions = clara.getByRole("region", { name: say("kycCase.decisions") });
    await expect(decisions.getByRole("listitem").filter({ hasText: "Clara Nunes" })).toHaveCount(1);
    await expect(decisions.getByText("Verso cortado.")).toHaveCount(0);
    await context.close();
  },
);
