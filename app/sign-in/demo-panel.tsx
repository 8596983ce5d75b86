import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import type { DemoSignIn } from "@/lib/staff/queries";

type DemoPanelProps = { people: DemoSignIn[]; onChoose: (person: DemoSignIn) => void };

/** Says that this is a demo, and fills the form in for one of its people. */
export function DemoPanel({ people, onChoose }: DemoPanelProps) {
  const t = useTranslations();
  return (
    <section aria-labelledby="demo" className="mt-7 rounded border border-line bg-canvas p-3.5">
      <h2 id="demo" className="text-sm font-medium">
        {t("signIn.demoTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("signIn.demoLead")}</p>
      <div className="mt-3 grid grid-cols-2 gap-1.5 sm:grid-cols-3">
        {people.map((person) => {
          const role = t(`roles.${person.role}`);
          return (
            <Button
              key={person.email}
              size="small"
              aria-label={person.isSecond ? t("signIn.fillSecond") : t("signIn.fill", { role })}
              onClick={() => onChoose(person)}
            >
              {person.isSecond ? t("signIn.second", { role }) : role}
            </Button>
          );
        })}
      </div>
    </section>
  );
}
