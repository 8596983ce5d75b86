/**
 * The files that a reader of one request opens: each line names modules it passes in turn, and the imports between two
 * of them count, too. Files whose names say enough are left out.
 */
const CHAINS = {
  "KYC queue, from page to SQL": [
    "app/(console)/kyc/page.tsx app/(console)/screen.tsx",
    "app/(console)/kyc/page.tsx app/(console)/kyc/queue.tsx",
    "app/(console)/kyc/page.tsx lib/kyc/inputs.ts",
    "app/(console)/kyc/page.tsx lib/kyc/queries.ts lib/query.ts lib/auth/session.ts lib/auth/sessions.ts",
    "lib/query.ts lib/permission/grant.ts lib/permission/permission.ts",
    "lib/kyc/queries.ts lib/kyc/queue.ts lib/kyc/queue-filter.ts",
    "lib/kyc/queue.ts lib/kyc/queue-counts.ts",
    "lib/kyc/queue.ts lib/approvals/policy.ts",
  ],
  "a decision, from button to audit row": [
    "app/(console)/kyc/decision-dialog.tsx app/(console)/kyc/decision-fields.tsx",
    "app/(console)/kyc/decision-dialog.tsx app/(console)/kyc/use-deciding.ts lib/kyc/actions.ts lib/action.ts",
    "app/(console)/kyc/use-deciding.ts components/session/use-action.ts",
    "lib/kyc/actions.ts lib/kyc/inputs.ts",
    "lib/action.ts lib/auth/session.ts lib/auth/sessions.ts",
    "lib/action.ts lib/permission/grant.ts lib/permission/permission.ts",
    "lib/action.ts lib/errors/explain.ts",
    "lib/kyc/actions.ts lib/kyc/decide.ts lib/approvals/propose.ts lib/approvals/policy.ts",
    "lib/kyc/decide.ts lib/kyc/decision-validation.ts lib/kyc/case-rules.ts",
    "lib/kyc/decide.ts lib/kyc/evidence.ts lib/dossiers/records.ts",
    "lib/kyc/decide.ts lib/kyc/sync.ts",
    "lib/kyc/decide.ts lib/db/tables/kyc.ts",
    "lib/approvals/propose.ts lib/provider/intents/intent.ts lib/provider/intents/intent-record.ts lib/provider/intents/claim.ts",
    "lib/kyc/decide.ts lib/db/publish.ts",
    "lib/kyc/decide.ts lib/audit/record.ts",
  ],
  "a send of coins, from button to audit row": [
    "app/(console)/wallets/[id]/send/send-form.tsx app/(console)/wallets/[id]/send/review-dialog.tsx",
    "app/(console)/wallets/[id]/send/send-form.tsx components/session/use-action.ts",
    "app/(console)/wallets/[id]/send/send-form.tsx lib/wallets/actions.ts lib/action.ts",
    "lib/action.ts lib/auth/session.ts lib/auth/sessions.ts",
    "lib/action.ts lib/permission/grant.ts lib/permission/permission.ts",
    "lib/wallets/actions.ts lib/wallets/send-coins.ts lib/approvals/propose.ts lib/approvals/policy.ts",
    "lib/wallets/actions.ts lib/wallets/inputs.ts",
    "lib/wallets/send-coins.ts lib/wallets/duplicates.ts",
    "lib/wallets/send-coins.ts lib/wallets/chain-effects.ts",
    "lib/wallets/send-coins.ts lib/wallets/sent-order.ts",
    "lib/approvals/propose.ts lib/approvals/define-write.ts lib/provider/intents/intent.ts lib/provider/intents/intent-record.ts lib/provider/intents/claim.ts",
    "lib/wallets/send-coins.ts lib/audit/record.ts",
  ],
  "look-up of an account": [
    "app/(console)/accounts/page.tsx app/(console)/accounts/look-up-form.tsx components/session/use-action.ts",
    "app/(console)/accounts/look-up-form.tsx lib/accounts/actions.ts lib/action.ts lib/auth/session.ts lib/auth/sessions.ts",
    "lib/action.ts lib/permission/grant.ts lib/permission/permission.ts",
    "lib/accounts/actions.ts lib/accounts/look-up.ts lib/onboarding/records.ts",
    "lib/accounts/look-up.ts lib/onboarding/inputs.ts",
    "lib/accounts/look-up.ts lib/audit/record.ts",
    "lib/onboarding/records.ts lib/provider/client.ts",
  ],
  "one call to the provider": [
    "lib/provider/client.ts lib/provider/circuit.ts",
    "lib/provider/client.ts lib/provider/token.ts",
    "lib/provider/client.ts lib/provider/budget.ts",
    "lib/provider/client.ts lib/provider/wire-http.ts",
    "lib/provider/client.ts lib/provider/call-log.ts",
    "lib/provider/client.ts lib/provider/answer.ts",
  ],
  "a webhook until a screen changes": [
    "app/api/hooks/[clientId]/route.ts lib/webhooks/intake.ts lib/db/publish.ts",
    "lib/webhooks/intake.ts lib/watch/watch.ts",
    "lib/webhooks/watch.ts lib/onboarding/records.ts lib/db/publish.ts",
    "lib/onboarding/records.ts lib/onboarding/standing.ts",
    "lib/onboarding/records.ts lib/provider/client.ts",
    "app/api/live/route.ts lib/live/live.ts",
    "app/api/live/route.ts lib/auth/session.ts",
    "components/live/use-live-page.ts components/live/live-provider.tsx",
    "components/live/use-live-page.ts components/session/use-read.ts",
  ],
  "a transfer in the service, from HTTP to ledger": [
    "service/app.ts service/http/mount.ts service/gateway/admit.ts",
    "service/app.ts service/http/answer.ts",
    "service/app.ts service/tokens/tokens.ts",
    "service/app.ts service/http/routes.ts service/gateway/operations.ts",
    "service/http/routes.ts service/idempotency/first-answer.ts",
    "service/http/routes.ts service/transfers/order.ts service/antifraud/case.ts",
    "service/transfers/order.ts service/ledger/account.ts",
    "service/transfers/order.ts service/ledger/books.ts service/store/transaction.ts",
    "service/app.ts service/transfers/carry-out.ts service/ledger/books.ts",
  ],
};

/** The shortest way of imports, both ends included; undefined when there is none. */
function shortest(files, from, to) {
  const before = new Map([[from, null]]);
  for (const path of before.keys()) {
    if (path === to) break;
    const { values, types, lazy } = files.get(path) ?? { values: [], types: [], lazy: [] };
    for (const next of [...values, ...lazy, ...types]) if (!before.has(next)) before.set(next, path);
  }
  if (!files.has(from) || !before.has(to)) return undefined;
  const way = [];
  for (let path = to; path !== null; path = before.get(path)) way.unshift(path);
  return way;
}

/** `broken`: steps that imports no longer connect. @param {Record<string, string[]>} [chains] */
export function chainsIn(files, chains = CHAINS) {
  return Object.entries(chains).map(([name, ways]) => {
    const opened = new Set();
    const broken = [];
    for (const way of ways) {
      const steps = way.split(" ");
      steps.forEach((step) => opened.add(step));
      for (const [index, step] of steps.slice(1).entries()) {
        const between = shortest(files, steps[index], step);
        if (between === undefined) broken.push(`${steps[index]} → ${step}`);
        else between.forEach((path) => opened.add(path));
      }
    }
    return { name, files: [...opened], broken };
  });
}
