import { can, type Permission, type Role } from "./permission";

/** What a screen can follow, and the permission for it. */
export const TOPIC_PERMISSIONS = {
  kyc: "kyc:read",
  suspicions: "suspicions:handle",
  onboarding: "onboarding:read",
  wallets: "wallets:read",
  position: "wallets:read",
  deposits: "wallets:read",
  transfers: "accounts:read",
  movements: "accounts:read",
  calls: "audit:read",
  audit: "audit:read",
  approvals: "approvals:read",
  outcomes: "outcomes:end",
  staff: "staff:manage",
  webhooks: "webhooks:read",
  health: "health:read",
} as const satisfies Record<string, Permission>;

export type Topic = keyof typeof TOPIC_PERMISSIONS;

/** What a session may follow: the topics of its roles at its tenant. */
export type TopicScope = { tenant: string; topics: readonly Topic[] };

const TOPICS = Object.entries(TOPIC_PERMISSIONS);

export const isTopic = (name: string): name is Topic => name in TOPIC_PERMISSIONS;

export function topicScopeOf({ tenant, roles }: { tenant: string; roles: readonly Role[] }): TopicScope {
  const readable = TOPICS.filter(([, permission]) => can(roles, permission)).map(([topic]) => topic);
  return { tenant, topics: readable.filter(isTopic) };
}

export function isSameTopicScope(one: TopicScope, other: TopicScope): boolean {
  return one.tenant === other.tenant && one.topics.join() === other.topics.join();
}
