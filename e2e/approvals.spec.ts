import { expectAccessible, expectNoSidewaysScroll } from "./support/accessible";
import {
  authorise,
  authoriseInVain,
  decidedCase,
  propose,
  proposeWith,
  REASON,
  sitDown,
} from "./support/approvals-page";
import { expectRow, factOf, rowWith } from "./support/sight";
import { expect, test } from "./support/story";
import { wordsOf } from "./support/words";

test("compliance proposes an overruling in pt-BR and an approver authorises it in en", async ({
  browser,
  product: { url },
  provider,
}) => {
  test.slow();
  const mine = wordsOf("pt-BR");
  const theirs = wordsOf("en");
  const maker = await sitDown({ browser, url, role: "compliance", language: "pt-BR" });
  const approver = await sitDown({ browser, url, role: "approver", language: "en" });
  await approver.goto("/approvals");
  const { kycUUID, document } = await decidedCase(maker, provider);
  const address = await propose(maker, mine, kycUUID);
  await expect(maker.getByText(mine("approvals.proposedDone", { document }))).toBeVisible();
  expect(await provider.caseStatus(kycUUID)).toBe("REPROVED");
  await expect(maker.getByRole("button", { name: mine("kyc.askReview") })).toHaveAttribute("aria-disabled", "true");

  // It appears without a reload, and the navigation counts it.
  const inbox = approver.getByRole("table", { name: theirs("approvals.title") });
  const gist = [theirs("kyc.status.REPROVED"), theirs("kyc.status.APPROVED")];
  await expectRow(inbox, [theirs("writes.kyc.decision"), document, ...gist, "Rafael Tavares"]);
  await expect(approver.getByRole("link", { name: theirs("owed.count", { count: 1 }) })).toBeVisible();

  await rowWith(inbox, [document]).getByRole("link").click();
  const change = approver.getByRole("row", { name: new RegExp(`^${theirs("approvals.facts.status")}`) });
  await expect(change).toContainText(theirs("kyc.status.REPROVED"));
  await expect(change).toContainText(theirs("kyc.status.APPROVED"));
  await expect(approver.getByText(REASON)).toBeVisible();
  await approver.getByLabel(theirs("approvals.comment")).fill("Vi a fotografia nova.");
  await approver.getByRole("button", { name: theirs("approvals.commentSubmit") }).click();
  await expect(approver.getByRole("listitem").filter({ hasText: "Vi a fotografia nova." })).toBeVisible();

  await authorise(approver, theirs);
  await expect(approver.getByText(theirs("approvals.outcome.EXECUTED"))).toBeVisible();
  await expect(approver.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await provider.caseStatus(kycUUID)).toBe("APPROVED");

  await expect(maker.getByRole("link", { name: mine("approvals.seeProposal") })).toBeHidden();
  await expect(factOf(maker, mine("kyc.columns.status"))).toHaveText(mine("kyc.status.APPROVED"));
  await maker.goto(address);
  await expect(maker.getByText(mine("approvals.outcome.EXECUTED"))).toBeVisible();
  await expect(maker.getByText("Vi a fotografia nova.")).toBeVisible();
  await expect(maker.getByRole("button", { name: mine("approvals.authorise") })).toHaveCount(0);
});

test("a maker can withdraw but not authorise a proposal, and sees a refusal's reason", async ({
  signedInAs,
  provider,
  say,
}) => {
  test.slow();
  const maker = await signedInAs("compliance");
  const approver = await signedInAs("approver");
  const [own, refused] = await Promise.all([decidedCase(maker, provider), decidedCase(maker, provider)]);

  await test.step("taken back", async () => {
    const address = await propose(maker, say, own.kycUUID);
    await maker.goto(address);
    await approver.goto(address);
    await approver.getByRole("button", { name: say("approvals.authorise") }).click();
    const opened = approver.getByRole("dialog", { name: say("approvals.authoriseTitle") });
    const submit = opened.getByRole("button", { name: say("approvals.authoriseSubmit") });
    await expect(submit).not.toHaveAttribute("aria-disabled");
    const control = maker.getByRole("button", { name: say("approvals.authorise") });
    await expect(control).toHaveAttribute("aria-disabled", "true");
    await expect(control).toHaveAccessibleDescription(say("approvals.waitsForOther"));
    await maker.getByRole("button", { name: say("approvals.withdraw") }).click();
    const dialog = maker.getByRole("dialog", { name: say("approvals.withdrawTitle") });
    await dialog.getByRole("button", { name: say("approvals.withdrawSubmit") }).click();
    await expect(maker.getByText(say("approvals.outcome.WITHDRAWN"))).toBeVisible();
    await expect(opened.getByText(say("approvals.states.WITHDRAWN"))).toBeVisible();
    await expect(submit).toHaveAttribute("aria-disabled", "true");
    expect(await provider.caseStatus(own.kycUUID)).toBe("REPROVED");
    await maker.goto(`/kyc/${own.kycUUID}`);
    await expect(maker.getByRole("button", { name: say("kyc.askReview") })).not.toHaveAttribute("aria-disabled");
  });

  await test.step("refused", async () => {
    const address = await propose(maker, say, refused.kycUUID);
    await maker.goto(address);
    await approver.goto(address);
    await approver.getByRole("button", { name: say("approvals.refuse") }).click();
    const dialog = approver.getByRole("dialog", { name: say("approvals.refuseTitle") });
    await dialog.getByRole("button", { name: say("approvals.refuseSubmit") }).click();
    const reason = dialog.getByLabel(say("approvals.reason"), { exact: true });
    await expect(reason).toHaveAccessibleDescription(new RegExp(say("approvals.reasonFirst")));
    await expect(reason).toBeFocused();
    await reason.fill("Falta o documento novo.");
    await dialog.getByRole("button", { name: say("approvals.refuseSubmit") }).click();
    await expect(dialog).toBeHidden();
    await expect(maker.getByText("Falta o documento novo.")).toBeVisible();
    expect(await provider.caseStatus(refused.kycUUID)).toBe("REPROVED");
  });
});

test(
  "a changed case is not overruled; a lost connection keeps the dialog open",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const maker = await signedInAs("compliance");
    const approver = await signedInAs("approver");
    const [moved, lost] = await Promise.all([decidedCase(maker, provider), decidedCase(maker, provider)]);

    await test.step("a case that moved", async () => {
      const address = await propose(maker, say, moved.kycUUID);
      await provider.steerCase(moved.kycUUID, "PENDING");
      await approver.goto(address);
      const dialog = await authoriseInVain(approver, say);
      await expect(dialog.getByText(say("approvals.caseMoved"))).toBeVisible();
      const why = say("approvals.outcome.FAILED", { why: say("approvals.caseMoved") });
      for (const page of [approver, maker]) {
        await page.goto(address);
        await expect(page.getByText(why)).toBeVisible();
      }
      expect(await provider.caseStatus(moved.kycUUID)).toBe("PENDING");
    });

    await test.step("a connection lost while authorising", async () => {
      await approver.goto(await propose(maker, say, lost.kycUUID));
      await approver.getByRole("button", { name: say("approvals.authorise") }).click();
      const dialog = approver.getByRole("dialog", { name: say("approvals.authoriseTitle") });
      await expect(dialog).toBeVisible();
      // Only writes fail: the browser would reload a page whose reads fail.
      await approver.route("**/approvals/*", (route) =>
        route.request().method() === "POST" ? route.abort() : route.continue(),
      );
      await dialog.getByRole("button", { name: say("approvals.authoriseSubmit") }).click();
      await expect(dialog.getByText(say("states.connectionLost"))).toBeVisible();
      await approver.unroute("**/approvals/*");
      await dialog.getByRole("button", { name: say("approvals.authoriseSubmit") }).click();
      await expect(approver.getByText(say("approvals.outcome.EXECUTED"))).toBeVisible();
    });
  },
);

test(
  "an approver works the inbox by single keys and turns them off",
  { tag: "@long" },
  async ({ signedInAs, provider, say }) => {
    test.slow();
    const maker = await signedInAs("compliance");
    const approver = await signedInAs("approver", { width: 390 });
    const cases = await Promise.all([decidedCase(maker, provider), decidedCase(maker, provider)]);
    for (const [place, reason] of ["palavra".repeat(60), "Motivo curto."].entries()) {
      await proposeWith(maker, say, { kycUUID: cases[place]?.kycUUID ?? "", reason });
    }

    await test.step("single keys", async () => {
      await approver.goto("/approvals");
      const inbox = approver.getByRole("table", { name: say("approvals.title") });
      for (const { document } of cases) await expectRow(inbox, [document]);
      await expectAccessible(approver, "the inbox");
      await expectNoSidewaysScroll(approver, "the inbox");
      const first = inbox.getByRole("link").first();
      // Keys work only after hydration.
      await expect(async () => {
        await approver.keyboard.press("j");
        await expect(first).toBeFocused({ timeout: 500 });
      }).toPass();
      await approver.keyboard.press("Enter");
      await expect(approver).toHaveURL(/\/approvals\/[0-9a-f-]{36}$/);
      await expect(approver.getByRole("button", { name: say("approvals.authorise") })).toBeVisible();
      await expectAccessible(approver, "a proposal");
      await expectNoSidewaysScroll(approver, "a proposal");
      const dialog = approver.getByRole("dialog", { name: say("approvals.authoriseTitle") });
      await expect(async () => {
        await approver.keyboard.press("a");
        await expect(dialog).toBeVisible({ timeout: 500 });
      }).toPass();
      await expectAccessible(approver, "the authorisation");
      await approver.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await approver.keyboard.press("?");
      const sheet = approver.getByRole("dialog", { name: say("triage.keys.title") });
      await sheet.getByRole("button", { name: say("triage.keys.switchOff") }).click();
      await approver.keyboard.press("Escape");
      await expect(sheet).toBeHidden();
      await approver.keyboard.press("a");
      await approver.keyboard.press("?");
      await expect(sheet).toBeVisible();
      await expect(dialog).toBeHidden();
      await approver.keyboard.press("Escape");
      await expect(sheet).toBeHidden();
    });

    await test.step("a comment stays with its proposal while the next one is shown", async () => {
      await approver.goBack();
      await approver
        .getByRole("table", { name: say("approvals.title") })
        .getByRole("link")
        .last()
        .click();
      await expect(approver.getByText("Motivo curto.")).toBeVisible();
      const comment = approver.getByLabel(say("approvals.comment"));
      await comment.fill("Falta conferir");
      const previous = approver.getByRole("link", { name: say("approvals.previous") });
      const words = await previous.getByText(say("approvals.previous")).boundingBox();
      expect(words?.width, "an arrow beside no keys says where it leads").toBeGreaterThan(40);
      await previous.click();
      await expect(approver.getByText("palavrapalavra")).toBeVisible();
      await expectNoSidewaysScroll(approver, "a long reason");
      await expect(comment).toHaveValue("");
      await approver.getByRole("link", { name: say("approvals.next") }).click();
      await expect(approver.getByText("Motivo curto.")).toBeVisible();
      await expect(comment).toHaveValue("Falta conferir");
    });
  },
);
