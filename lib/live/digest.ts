import type { LiveMessage } from "@/lib/live-message";
import type { LiveEvent } from "./event";
import type { Topic } from "./topic";

/** More changed objects than this are told as a change of the whole topic. */
const MOST_OBJECTS = 50;

/** What is new of one topic: `objects` null is any of them. */
type News = { objects: ReadonlySet<string> | null; asOf: string | null };

/** Events of one tenant that a reader has not been told yet, one entry a topic however many they were. */
export type Digest = { lastId: number; topics: ReadonlyMap<Topic, News> };

const NOTHING: News = { objects: new Set(), asOf: null };

const later = (one: string | null, other: string | null) => ((one ?? "") > (other ?? "") ? one : other);

function join(one: News, other: News): News {
  const objects = one.objects && other.objects && new Set([...one.objects, ...other.objects]);
  return { objects: objects && objects.size > MOST_OBJECTS ? null : objects, asOf: later(one.asOf, other.asOf) };
}

function newsOf({ object, asOf }: LiveEvent): News {
  if (asOf !== null) return { objects: new Set(), asOf };
  return { objects: object === null ? null : new Set([object]), asOf: null };
}

export function digestOf(events: readonly LiveEvent[]): Digest {
  const topics = new Map<Topic, News>();
  for (const event of events) topics.set(event.topic, join(topics.get(event.topic) ?? NOTHING, newsOf(event)));
  return { lastId: Math.max(0, ...events.map(({ id }) => id)), topics };
}

/** Both in one: what a slow reader missed stays as small as this. */
export function joinDigests(one: Digest, other: Digest): Digest {
  const topics = new Map(one.topics);
  for (const [topic, news] of other.topics) topics.set(topic, join(topics.get(topic) ?? NOTHING, news));
  return { lastId: Math.max(one.lastId, other.lastId), topics };
}

/** A server-sent event. */
export function frame(message: LiveMessage, id?: number): string {
  const told = `data: ${JSON.stringify(message)}\n\n`;
  return id === undefined ? told : `id: ${id}\n${told}`;
}

function messagesOf([topic, { objects, asOf }]: [Topic, News]): LiveMessage[] {
  const messages: LiveMessage[] = [];
  if (objects === null || objects.size > 0) messages.push({ kind: "changed", topic, objects: objects && [...objects] });
  if (asOf !== null) messages.push({ kind: "fresh", topic, asOf });
  return messages;
}

/** The digest as server-sent events for a reader of these topics; empty when it holds none of them. */
export function framesOf({ lastId, topics }: Digest, readable: readonly Topic[]): string {
  const messages = [...topics].filter(([topic]) => readable.includes(topic)).flatMap(messagesOf);
  // Only with the last one has the reader been told everything up to that id.
  return messages.map((message, n) => frame(message, n === messages.length - 1 ? lastId : undefined)).join("");
}
