import { NextIntlClientProvider } from "next-intl";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import english from "@/messages/en.json";

vi.mock("next/navigation", () => ({ useRouter: () => ({}) }));
vi.mock("@/components/ui/cover", () => ({ Cover: ({ description }: { description: unknown }) => description }));

const inEnglish = (node: ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      {node}
    </NextIntlClientProvider>,
  );

it.each([
  ["promises to keep what was written where there is something", true],
  ["promises nothing where nothing was written", false],
])("covers the page of an ended session: it %s", async (_, hasUnsaved) => {
  const { SessionCover } = await import("./covers");
  const shown = inEnglish(<SessionCover person="Ana Prado" reason="idle" hasUnsaved={hasUnsaved} signIn={null} />);
  expect(shown.includes("Ana Prado")).toBe(hasUnsaved);
  expect(shown).toContain(english.session.afresh);
});

const at = (name: string) => ({
  id: `ana:${name}`,
  person: { name: "Ana Prado" },
  tenant: { clientId: name, name, environment: "SANDBOX" as const },
});
const idle = () => undefined;

it.each([true, false])("covers a tab of another tenant the same way: %s", async (hasUnsaved) => {
  const { ScopeContext } = await import("./scope");
  const { ScopeCover } = await import("./covers");
  const { createUnsaved } = await import("./scope");
  const unsaved = createUnsaved();
  unsaved.hold("note", hasUnsaved);
  const hold = {
    id: "ana:aurora",
    revalidate: idle,
    findWhere: async () => "here" as const,
    refresh: idle,
    announce: idle,
  };
  const shown = inEnglish(
    <ScopeContext value={{ ...hold, announceEnd: idle, unsaved, returns: 0 }}>
      <ScopeCover shown={at("aurora")} now={at("boreal")} switchTenant={async () => ({ ok: true, data: "" })} />
    </ScopeContext>,
  );
  expect(shown).toContain(english.scope.nothingLeaves);
  expect(shown.includes(english.scope.writtenStays)).toBe(hasUnsaved);
});
