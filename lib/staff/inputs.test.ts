import { createTranslator } from "next-intl";
import { expect, it } from "vitest";
import { explainFields } from "@/lib/errors/explain";
import messages from "@/messages/en.json";
import { ForgottenPassword, PersonName } from "./inputs";

const say = createTranslator({ locale: "en", messages });

function faultOf(email: string): string | undefined {
  const { error } = ForgottenPassword.safeParse({ email });
  return error === undefined ? undefined : explainFields(error.issues, say)["email"];
}

it("says whether an e-mail address is missing, too long or invalid", () => {
  expect(faultOf("  ")).toBe(messages.fields.required);
  expect(faultOf(`${"a".repeat(250)}@x.example`)).toBe("At most 254 characters.");
  expect(faultOf("clara")).toBe(messages.fields.email);
  expect(faultOf("аna@aurora.example")).toBe(messages.fields["email-mixed"]);
  for (const foreign of ["joão@aurora.example", "ana@padaría.example"]) expect(faultOf(foreign)).toBeUndefined();
  expect(faultOf(" clara@aurora.example ")).toBeUndefined();
});

it.each(["http://evil.example/x", "evil.example", "Eva evil.example", "eva@evil.example", "evil。example"])(
  "refuses a name with a link: %s",
  (name) => {
    const { error } = PersonName.safeParse(name);
    expect(explainFields(error?.issues ?? [], say)).toEqual({ "": messages.fields["name-link"] });
  },
);

it.each(["Ana Prado", "José d’Ávila-Souza Jr.", "Dr. Rui Lima", "J.P. Morgan", "Maria A/C"])(
  "accepts the name %s",
  (name) => {
    expect(PersonName.parse(name)).toBe(name);
  },
);
