/** The areas of the interface, by how their paths begin. */
const AREAS = [
  {
    begin: "/v1/authentication/",
    name: "Authentication",
    description: "Tokens, got with the client's own credentials.",
  },
  {
    begin: "/v1/bank-accounts/",
    name: "Bank accounts",
    description: "Accounts in reais: opening, balance, statement, transfers, closing.",
  },
  { begin: "/v1/pix/", name: "PIX", description: "Whose a PIX key is." },
  {
    begin: "/v1/crypto/",
    name: "Crypto wallets",
    description: "Custodial wallets, checkout addresses and transfers on seven networks.",
  },
  { begin: "/v1/otc/", name: "OTC", description: "Trades of crypto against reais, over the counter." },
  { begin: "/v1/kyc/", name: "KYC", description: "Verification of people and companies." },
  { begin: "/v1/webhooks", name: "Webhooks", description: "What is delivered to the client, and where to." },
] as const;

export const TAGS = AREAS.map(({ name, description }) => ({ name, description }));

/** The area of a path. Throws on a path of none: every operation has a place in the document. */
export function tagOf(path: string): string {
  const area = AREAS.find(({ begin }) => path.startsWith(begin));
  if (!area) throw new Error(`${path} belongs to no area`);
  return area.name;
}
