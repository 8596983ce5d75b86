import { ACTIONS } from "@/lib/permission/access";
import { inventCpf } from "@/e2e/support/invent";
import { rightInputOf } from "@/test/registries/inputs";
import { told } from "./stir";
import { act, actForm, type Answer, newId } from "./wire";
import { accountForm, ASKS_FOR_MORE, byTurns, offerOf, startForm, type Stirring } from "./writes";
import { say } from "@/scripts/program.mjs";

const link = () => ({ token: "A".repeat(43) });
const PASSWORD = "outra frase que so eu sei";
const BETWEEN = { kind: "INTERNAL", userId: "user-1", amount: "1,00", description: "" };

/** Valid inputs that the registry of inputs does not need. */
const INPUTS: Readonly<Record<string, () => unknown>> = {
  "security.askPasskey": () => null,
  "security.askPasskeyAtStep": () => null,
  "security.endOtherSessions": () => null,
  "security.endOwnSession": newId,
  "security.proveSelf": () => PASSWORD,
  "security.changePassword": () => ({ current: "nao e esta", next: PASSWORD }),
  "security.startRequiredEnrolment": () => null,
  "kyc.setAway": () => ({ until: null, releases: false }),
  "kyc.takeNextCase": () => ({ attemptId: newId() }),
  "kyc.findCaseOfSameDocument": () => ({ query: inventCpf().digits }),
  "kyc.checkStart": startForm,
  "kyc.reviewStart": startForm,
  "onboarding.checkAccount": accountForm,
  "onboarding.reviewAccount": () => ({ ...accountForm(), from: null }),
  "onboarding.findOnboarding": () => ({ query: inventCpf().digits }),
  "staff.acceptInvitation": () => ({ ...link(), name: "Nova Lima", password: PASSWORD }),
  "staff.joinByInvitation": link,
  "staff.openInvitation": link,
  "staff.openPasswordLink": link,
  "staff.setPassword": () => ({ ...link(), password: PASSWORD }),
  "staff.forgotPassword": () => ({ email: "ninguem@aurora.example" }),
  "transfers.findTransferPayee": () => ({ query: inventCpf().digits }),
  "transfers.checkTransfer": () => ({ ...BETWEEN, from: newId(), to: newId() }),
};

const isForm = (name: string) => name.startsWith("preferences.set");

const inputOf = (name: string): unknown => (INPUTS[name] ?? (() => rightInputOf(name)))();

/** For all writes together, as a single one hardly takes time. */
const AT_ONCE = 40;

/** Every remaining action, about records that do not exist: nothing may leave, and each must answer. */
export async function sendRest(stirring: Stirring): Promise<void> {
  const { desk, offers, stir, sent, restTimes: times } = stirring;
  const names = Object.keys(ACTIONS).filter((name) => !sent.has(name) && name !== ASKS_FOR_MORE);
  // A new write without an input fails here, before any is sent.
  for (const name of names) if (!isForm(name)) inputOf(name);
  const together = Math.floor(AT_ONCE / times);
  for (let from = 0; from < names.length; from += together) {
    const group = names.slice(from, from + together);
    const answers = new Map<string, Answer[]>(group.map((name) => [name, []]));
    const asked = group.flatMap((name) => {
      const offer = offerOf(offers, name);
      return Array.from({ length: times }, (_, place) => async () => {
        const person = byTurns(desk.makers, desk.makers.length, place);
        const answer = await (isForm(name)
          ? actForm(desk.url, person, offer)
          : act(desk.url, person, { ...offer, input: inputOf(name) }));
        answers.get(name)?.push(answer);
        return answer;
      });
    });
    const says = `${times} of each at once, an id each, three people`;
    await stir({ write: `${group.length} about nothing`, policy: null, says, asked, most: 0, least: 0 });
    for (const [name, came] of answers) say(`    ${name}: ${told(came)}`);
  }
}
