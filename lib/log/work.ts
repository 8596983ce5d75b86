import { AsyncLocalStorage } from "node:async_hooks";

/** `name`: the permission of a write, or the watch. `hasSent`: something may have left for the provider. */
type Work = { name: string; hasSent: boolean; isUnattended?: true };

type AskedOfFront = { isStoreUnavailable: boolean; hasSent: boolean };

declare global {
  var retaguardaWork: AsyncLocalStorage<Work> | undefined;
  /** Set by the front server for each request, as only it knows a page's HTTP status. */
  var retaguardaRequest: { getStore: () => AskedOfFront | undefined } | undefined;
}

export const noteForFront = (known: Partial<AskedOfFront>): unknown =>
  Object.assign(globalThis.retaguardaRequest?.getStore() ?? {}, known);

/** One per process, though Next loads modules several times. */
const works = () => (globalThis.retaguardaWork ??= new AsyncLocalStorage());

export const asWork = <T>(name: string, work: () => T): T => works().run({ name, hasSent: false }, work);

/** Nobody waits for what it asks of the provider, in whoever's name: it goes in the watches' lane. */
export const unattended = <T>(name: string, work: () => T): T =>
  works().run({ name, hasSent: false, isUnattended: true }, work);

export const isUnattended = (): boolean => works().getStore()?.isUnattended === true;

export const nameOfWork = (): string | undefined => works().getStore()?.name;

export function noteSent(): void {
  const work = works().getStore();
  if (work !== undefined) work.hasSent = true;
  noteForFront({ hasSent: true });
}

export const hasSent = (): boolean =>
  works().getStore()?.hasSent === true || globalThis.retaguardaRequest?.getStore()?.hasSent === true;
