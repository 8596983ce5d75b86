import type { Page } from "@playwright/test";
import { PAYLOADS } from "./payload-list";
import { DONE, refusal, type Write } from "./payload-answers";
import { type Marks, TEXTS } from "./payload-marks";
import type { Tabs } from "./payload-tabs";
import type { TamperingProvider } from "./tampering-provider";
import type { Words } from "./words";

/** Who presses, in whose sight. */
export type Hand = { tabs: Tabs; tampering: TamperingProvider; marks: Marks; say: Words };

/** A form that stands there, filled in rightly. */
export type Form = {
  write: Write;
  /** What leads from the form to what is sent, by its text; the last one there is pressed. */
  buttons: readonly string[];
  /** A field of it, as a refusal would name it. */
  names: string;
  /** What it forgets with every answer, by the field's name. */
  typed?: Readonly<Record<string, string>>;
};

type Pressing = Pick<Form, "buttons" | "typed"> & { until: string };

/** Presses what there is to press until the page says that. */
const press = (page: Page, { buttons, typed = {}, until }: Pressing) =>
  page.evaluate(
    async ({ names, values, awaited }) => {
      const latest = Date.now() + 60_000;
      while (!document.body.textContent.includes(awaited)) {
        if (Date.now() > latest) throw new Error(`the page does not say ${awaited}`);
        const ready = document.querySelectorAll<HTMLButtonElement>("button:not([aria-busy], [aria-disabled=true])");
        const button = [...ready].findLast(({ textContent }) => names.includes(textContent.trim()));
        for (const [name, value] of button === undefined ? [] : values) {
          const field = document.querySelector(`input[name="${name}"]`);
          if (field instanceof HTMLInputElement) field.value = value;
        }
        button?.click();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    { names: buttons, values: Object.entries(typed), awaited: until },
  );

/** Sends it until the provider has refused it with every payload, of the whole and of one of its fields, and looks each time. */
export async function refuseAll(page: Page, form: Form, { tabs, tampering, marks }: Hand): Promise<void> {
  const { write, names } = form;
  const refusals = [
    { status: 422, body: refusal("Recusado.") },
    { status: 400, body: refusal(`${names}: recusado`) },
  ];
  for (const told of refusals) {
    tampering.tells(write, told);
    for (let sent = 0; sent < TEXTS; sent += 1) {
      await press(page, { ...form, until: marks.next(`refused ${write}.message`) });
      await tabs.look(page);
    }
  }
}

/** Sends it once more, is answered with all payloads at once, and looks at what the page says of that. */
export async function endAt(
  page: Page,
  form: Form & { status: 200 | 503; until: string },
  { tabs, tampering }: Hand,
): Promise<void> {
  const body = form.status === 200 ? DONE[form.write] : refusal("Indisponível.");
  tampering.tells(form.write, { status: form.status, body, count: PAYLOADS.length });
  await press(page, form);
  await tabs.look(page);
}
