import { createTranslator } from "next-intl";
import type { cookies, headers } from "next/headers";
import { afterEach, type Mock, vi } from "vitest";
import type { getOpenSession, getSession } from "@/lib/auth/session";
import english from "@/messages/en.json";
import portuguese from "@/messages/pt-BR.json";

type MockedRequest = {
  session: { getSession: Mock<typeof getSession>; getOpenSession: Mock<typeof getOpenSession> };
  http: { headers: Mock<typeof headers>; cookies: Mock<typeof cookies> };
  getLocale: Mock<() => Promise<"en" | "pt-BR">>;
};

declare global {
  var mockedRequest: MockedRequest | undefined;
}

/** One set per worker, as modules loaded for an earlier file keep it. */
const mocked = vi.hoisted(() => {
  globalThis.mockedRequest ??= {
    session: { getSession: vi.fn<typeof getSession>(), getOpenSession: vi.fn<typeof getOpenSession>() },
    http: { headers: vi.fn<typeof headers>(), cookies: vi.fn<typeof cookies>() },
    getLocale: vi.fn<() => Promise<"en" | "pt-BR">>(async () => "en"),
  };
  return globalThis.mockedRequest;
});

vi.mock("@/lib/auth/session", () => ({
  ...mocked.session,
  carrySession: async () => undefined,
  getAddressRefusal: async () => null,
  callerAddress: async () => "203.0.113.7",
}));
vi.mock("next/headers", () => mocked.http);
vi.mock("next/server", () => ({ after: (work: () => Promise<void>) => work() }));
vi.mock("next-intl/server", () => ({
  getLocale: mocked.getLocale,
  getTranslations: async (namespace?: never) => {
    const locale = await mocked.getLocale();
    const messages = locale === "en" ? english : portuguese;
    return createTranslator({ locale, messages, ...(namespace !== undefined && { namespace }) });
  },
}));

afterEach(() => {
  // A stopped clock would stay stopped for every later file of this worker.
  vi.useRealTimers();
  // So would writes whose answers a test lost.
  globalThis.retaguardaIntents = undefined;
  for (const one of [...Object.values(mocked.session), ...Object.values(mocked.http), mocked.getLocale])
    one.mockReset();
});
