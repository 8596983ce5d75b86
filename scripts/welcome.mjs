import { say, seconds } from "./program.mjs";

export const DEMO_PASSWORD = "retaguarda-demo";

export const DEMO_STAFF = {
  "compliance@retaguarda.demo": "decides KYC and works the onboarding queue",
  "support@retaguarda.demo": "looks accounts up and moves money",
  "finance@retaguarda.demo": "watches wallets and moves money and crypto",
  "approver@retaguarda.demo": "is the second person of an approval",
  "auditor@retaguarda.demo": "reads everything and the audit trail",
  "admin@retaguarda.demo": "looks after staff, webhooks and settings",
};

/** An invented person whose account has a long statement. */
export const KNOWN_HOLDER = { fullName: "Mariana Alves Ribeiro", cpf: "417.205.638-53" };

/** Tells where the product is and how to get in. `isEmbedded`: with the demo's people and data. `tookMs`: since this program began. */
export function welcome({ publicUrl, isEmbedded }, tookMs) {
  say(`\nRetaguarda is ready on ${publicUrl} (${seconds(tookMs)})\n`);
  if (isEmbedded) {
    say(`Demo sign-ins, all with the password ${DEMO_PASSWORD}:`);
    for (const [email, work] of Object.entries(DEMO_STAFF)) say(`  ${email.padEnd(28)}${work}`);
    say(`An account to look up: ${KNOWN_HOLDER.fullName}, CPF ${KNOWN_HOLDER.cpf}`);
  } else {
    say("Make an account with: npm run staff -- add EMAIL --name NAME --role admin");
  }
  say("\nCtrl-C stops it.");
}
