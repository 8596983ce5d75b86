import type messages from "@/messages/pt-BR.json";

/** What acts by itself, as the record names it after `watch:`. */
export type WatchName = keyof typeof messages.actors.watches;

export const watchId = (name: WatchName): `watch:${WatchName}` => `watch:${name}`;
