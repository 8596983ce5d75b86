import { can, type Role } from "@/lib/auth/permission";
import { TOPIC_PERMISSIONS, type Topic } from "./topic";

/** What a session may follow: the topics of its roles at its tenant. */
export type Standing = { tenant: string; topics: readonly Topic[] };

const TOPICS = Object.entries(TOPIC_PERMISSIONS);

const isTopic = (name: string): name is Topic => name in TOPIC_PERMISSIONS;

export function standingOf({ tenant, roles }: { tenant: string; roles: readonly Role[] }): Standing {
  const readable = TOPICS.filter(([, permission]) => can(roles, permission)).map(([topic]) => topic);
  return { tenant, topics: readable.filter(isTopic) };
}

export function isSameStanding(one: Standing, other: Standing): boolean {
  return one.tenant === other.tenant && one.topics.join() === other.topics.join();
}
