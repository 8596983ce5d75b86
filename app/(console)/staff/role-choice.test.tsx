import { NextIntlClientProvider } from "next-intl";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { isCriticalRole, type Role, ROLES } from "@/lib/permission/permission";
import english from "@/messages/en.json";
import { RoleChoice } from "./role-choice";

const shown = (chosen: readonly Role[], held: readonly Role[] = []) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={english} timeZone="America/Sao_Paulo">
      <RoleChoice
        staffScope={{ tenant: "Aurora", rolesWithFactor: [] }}
        chosen={chosen}
        held={held}
        error={undefined}
        onChoose={() => undefined}
      />
    </NextIntlClientProvider>,
  );

it("warns only about a person who may both request and authorise a transfer", () => {
  for (const role of ROLES) expect(shown([role])).not.toContain(english.staff.bothSides);
  expect(shown(["support", "approver"])).toContain(english.staff.bothSides);
  expect(shown(["compliance", "support"])).not.toContain(english.staff.bothSides);
  expect(shown(ROLES)).toContain(english.staff.bothSides);
});

it("says before sending that another administrator must approve", () => {
  const says = english.staff.secondAdmin;
  for (const role of ROLES) expect(shown([role]).includes(says)).toBe(isCriticalRole(role));
  expect(shown(["support", "auditor"], ["support"])).not.toContain(says);
  expect(shown(["support", "approver"], ["support"])).toContain(says);
});
