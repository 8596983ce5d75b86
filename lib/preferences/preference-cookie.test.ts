import { cookies } from "next/headers";
import { beforeEach, expect, it, vi } from "vitest";
import { givenEnv } from "@/test/support/console";
import { savePreference, readPreference } from "./preference-cookie";

const jar = new Map<string, { value: string; options: object }>();

beforeEach(() => {
  jar.clear();
  const store = {
    get: (name: string) => jar.get(name),
    set: (name: string, value: string, options: object) => void jar.set(name, { value, options }),
  };
  vi.mocked<() => Promise<object>>(cookies).mockResolvedValue(store);
});

it("stores a choice for this host only, unreadable to scripts", async () => {
  givenEnv({ publicUrl: new URL("https://desk.example") });
  await savePreference("theme", "dark");
  const bound = { httpOnly: true, secure: true, sameSite: "lax", path: "/" };
  expect([...jar]).toEqual([["__Host-theme", { value: "dark", options: expect.objectContaining(bound) }]]);
  expect(await readPreference("theme")).toBe("dark");
});

it("uses the plain cookie name over http, as in the demo", async () => {
  givenEnv({ publicUrl: new URL("http://localhost:3000") });
  await savePreference("locale", "en");
  expect([...jar.keys()]).toEqual(["locale"]);
  expect(await readPreference("locale")).toBe("en");
});
