import { say, seconds } from "./program.mjs";

export const DEMO_PASSWORD = "retaguarda-demo";

export const DEMO_STAFF = {
  "compliance@retaguarda.demo": "decides KYC cases, follows onboardings, may reveal a document",
  "support@retaguarda.demo": "looks accounts up with balance and statement, follows onboardings",
  "finance@retaguarda.demo": "watches crypto wallets and balances, reads accounts",
  "approver@retaguarda.demo": "authorises or refuses what others propose",
  "auditor@retaguarda.demo": "reads the audit trail, who looked at whom, and every call to the provider",
  "admin@retaguarda.demo": "invites staff, sets approval policies, reads the audit trail",
  "admin2@retaguarda.demo": "another administrator, who authorises what the first one may not do alone",
};

export const KNOWN_HOLDER = { fullName: "Mariana Alves Ribeiro", cpf: "417.205.638-53" };

export function welcome({ publicUrl, isEmbedded, hasDemoData }, tookMs) {
  say(`\nRetaguarda is ready on ${publicUrl} (${seconds(tookMs)})\n`);
  if (isEmbedded) {
    say(`Demo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [email, work] of Object.entries(DEMO_STAFF)) say(`  ${email.padEnd(28)}${work}`);
    if (hasDemoData) say(`An account to look up: ${KNOWN_HOLDER.fullName}, CPF ${KNOWN_HOLDER.cpf}`);
  } else {
    say("Make an account with: npm run staff -- add EMAIL --name NAME --role admin");
  }
  say("\nCtrl-C stops it.");
}
