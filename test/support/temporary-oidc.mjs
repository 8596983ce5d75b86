import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

const page = (title, form) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><form method="post">${form}</form></html>`;
const LOGIN = page("Company sign-in", '<label>Account <input name="account"></label> <button>Continue</button>');
const CONSENT = page(
  "Allow access",
  '<button name="answer" value="yes">Allow</button> <button name="answer" value="no">Refuse</button>',
);

async function signingKeys(alg) {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), alg, use: "sig" }] };
}

const refusal = { error: "access_denied", error_description: "refused by its owner" };

function answerOf({ prompt }, form, { accounts, grantId }) {
  if (form.get("answer") === "no") return refusal;
  if (prompt.name === "consent") return { consent: { grantId } };
  const accountId = form.get("account");
  return { login: { accountId, amr: accounts[accountId]?.amr ?? ["pwd"] } };
}

async function grantOf(provider, { grantId, params, session }) {
  const known = grantId && (await provider.Grant.find(grantId));
  const grant = known || new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  grant.addOIDCScope("openid email profile");
  return grant.save();
}

async function interact(provider, accounts, { request, response }) {
  const details = await provider.interactionDetails(request, response);
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8");
    return response.end(details.prompt.name === "login" ? LOGIN : CONSENT);
  }
  const form = new URLSearchParams(await text(request));
  const grantId = details.prompt.name === "consent" ? await grantOf(provider, details) : undefined;
  const answer = answerOf(details, form, { accounts, grantId });
  return provider.interactionFinished(request, response, answer, { mergeWithLastSubmission: true });
}

/**
 * A company's OpenID provider on loopback: a certified implementation with chosen accounts, by the name typed at its
 * sign-in. `hasThinTokens`: its ID tokens only identify the person, and userinfo has the rest.
 * @param {{ accounts: Record<string, { claims: Record<string, unknown>, amr?: string[] }>, redirectUri: string, port?: number, hasThinTokens?: boolean, algorithm?: "RS256" | "PS256" | "ES256" }} given
 */
export async function startTemporaryOidc({
  accounts,
  redirectUri,
  port = 0,
  hasThinTokens = false,
  algorithm = "RS256",
}) {
  const server = createServer();
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const client = { clientId: "retaguarda", clientSecret: "a secret between the two" };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: algorithm,
      },
    ],
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    claims: { openid: ["sub", "amr", "auth_time"], email: ["email", "email_verified"], profile: ["name", "roles"] },
    conformIdTokenClaims: hasThinTokens,
    cookies: { keys: ["a key of the tests"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, accountId) =>
      accounts[accountId] && { accountId, claims: () => ({ sub: accountId, ...accounts[accountId].claims }) },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: await signingKeys(algorithm),
    pkce: { required: () => true },
    ttl: { AccessToken: 300, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url.startsWith("/interaction/")) return answer(request, response);
    interact(provider, accounts, { request, response }).catch((error) => response.writeHead(500).end(String(error)));
  });
  const stop = () => new Promise((stopped) => server.close(stopped) && server.closeAllConnections());
  return { issuer, ...client, stop };
}
