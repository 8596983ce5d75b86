import { and, asc, desc, eq } from "drizzle-orm";
import { type Fixture, reader, TENANT } from "./cases";
import { readFigures } from "@/lib/kyc/queries";
import { mostUrgent } from "@/lib/kyc/queue";
import { readQueue } from "@/lib/kyc/queue";
import { readChoices } from "@/lib/kyc/queue";
import { readNeighbours } from "@/lib/kyc/queue";
import { KycFilter } from "@/lib/kyc/rules";
import { kycCase } from "@/lib/store/schema";

export type Read = {
  name: string;
  run: () => Promise<unknown>;
  /** It must not grow with the cases. */
  isBound: boolean;
};

/** A case nine tenths down the list, and the edge of its page. */
async function deep({ store, cases }: Fixture) {
  const [row] = await store.db
    .select({ seq: kycCase.seq, kycUUID: kycCase.kycUUID, vatNumber: kycCase.vatNumber })
    .from(kycCase)
    .where(eq(kycCase.tenant, TENANT))
    .orderBy(desc(kycCase.seq))
    .limit(1)
    .offset(Math.floor(cases * 0.9));
  if (row === undefined) throw new Error("there are no cases");
  return row;
}

/** The edge of a page nine tenths down the open ones that have a deadline. */
async function deepEdge({ store }: Fixture): Promise<string> {
  const waiting = and(eq(kycCase.tenant, TENANT), eq(kycCase.status, "PENDING"));
  const count = await store.db.$count(kycCase, waiting);
  const [row] = await store.db
    .select({ dueAt: kycCase.dueAt, seq: kycCase.seq })
    .from(kycCase)
    .where(waiting)
    .orderBy(asc(kycCase.dueAt), asc(kycCase.seq))
    .limit(1)
    .offset(Math.floor(count * 0.9));
  return `${(row?.dueAt?.getTime() ?? 0) * 1_000}~${row?.seq}`;
}

/** Everything that a screen of the desk reads. */
export async function readsOf(fixture: Fixture): Promise<Read[]> {
  const far = await deep(fixture);
  const edge = await deepEdge(fixture);
  const queue = (name: string, given: object = {}): Read => {
    const filter = KycFilter.parse(given);
    return { name, run: () => readQueue(reader(fixture), filter), isBound: true };
  };
  const digits = far.vatNumber.replaceAll(/\D/g, "");
  return [
    queue("first page"),
    queue("view: mine", { view: "mine" }),
    queue("view: unassigned", { view: "unassigned" }),
    queue("view: due", { view: "due" }),
    queue("status: to decide", { status: "PENDING" }),
    queue("status: in analysis", { status: "PROCESSING" }),
    queue("status: approved", { status: "APPROVED" }),
    queue("status: reproved", { status: "REPROVED" }),
    queue("status: all", { status: "all" }),
    queue("type", { type: "PJ" }),
    queue("stage", { process: "kyc-documentscopy" }),
    queue("assignee", { assignee: fixture.staffId }),
    queue("tag, common", { tags: ["pep"], status: "all" }),
    queue("tag, rare", { tags: ["rara"], status: "all" }),
    queue("late", { due: "late" }),
    queue("due soon", { due: "soon" }),
    queue("on time", { due: "later" }),
    queue("older than 7 days", { age: "7" }),
    queue("order: arrival", { sort: "arrival" }),
    queue("order: deadline, all", { sort: "due", status: "all" }),
    queue("order: last change, all", { sort: "changed", status: "all" }),
    queue("order: wait, all, backwards", { sort: "waiting", status: "all", order: "desc" }),
    queue("search: id", { sought: far.kycUUID.slice(0, 8), status: "all" }),
    queue("search: document", { like: far.kycUUID, status: "all" }),
    queue("search: digits of a mask", { sought: digits.slice(0, 5), status: "all" }),
    queue("search: tag", { sought: "rara", status: "all" }),
    queue("deep page", { status: "all", after: `~${far.seq}` }),
    queue("deep page, open", { sort: "arrival", after: `~${far.seq}` }),
    queue("deep page by deadline", { after: edge }),
    {
      name: "neighbours of a case",
      run: () => readNeighbours(reader(fixture), far.kycUUID, KycFilter.parse({ status: "all" })),
      isBound: true,
    },
    { name: "next case", run: () => fixture.store.db.transaction((tx) => mostUrgent(tx, TENANT)), isBound: true },
    { name: "choices of the filter", run: () => readChoices(reader(fixture)), isBound: true },
    { name: "figures of 30 days", run: () => readFigures(reader(fixture), 30), isBound: false },
  ];
}
