import { Introspection, Revocation, Token } from "@/lib/contract/auth";
import authentication from "@/lib/contract/fixtures/authentication.json";
import { sharedParameter } from "./parameters";
import type { PathItem } from "./paths";
import { answer, json, tokenEndpointFailures, tokenHeaderFailure } from "./responses";
import type { Components } from "./schemas";
import { tagOf } from "./tags";

const BASE = "/v1/authentication/oauth";
const common = { tags: [tagOf(`${BASE}/`)], security: [{ basic: [] }] };

/** The token endpoints, which stand outside the gateway (interface: Authentication endpoints). */
export function tokenEndpoints(components: Components): Record<string, PathItem> {
  const aboutToken = { ...common, parameters: [sharedParameter("Token")] };
  const failures = { ...tokenHeaderFailure, ...tokenEndpointFailures };
  const { token, activeIntrospection, inactiveIntrospection, revocation } = authentication;
  const issued = json(components.refer(Token, "Token"), { token: { value: token } });
  const inspected = json(components.refer(Introspection, "Introspection"), {
    active: { value: activeIntrospection },
    inactive: { summary: "Expired or revoked", value: inactiveIntrospection },
  });
  const revoked = json(components.refer(Revocation, "Revocation"), { revocation: { value: revocation } });
  return {
    [`${BASE}/access-token`]: {
      post: {
        ...common,
        operationId: "issueToken",
        summary: "Get an access token",
        description:
          "Takes the client's id and secret as Basic credentials, and no body. The token holds for an hour: get the next one five minutes before its end.",
        responses: { 201: answer("The token.", issued), ...tokenEndpointFailures },
      },
    },
    [`${BASE}/introspect`]: {
      post: {
        ...aboutToken,
        operationId: "introspectToken",
        summary: "Ask about an access token",
        description:
          "The token comes in the header `token` and nowhere else. One that has ended is told with its reason; one that this client was never given is 401.",
        responses: { 201: answer("What is known of the token.", inspected), ...failures },
      },
    },
    [`${BASE}/revoke`]: {
      post: {
        ...aboutToken,
        operationId: "revokeToken",
        summary: "End an access token",
        description: "At once and for good. The token comes in the header `token`.",
        responses: { 200: answer("The token has ended.", revoked), ...failures },
      },
    },
  };
}
