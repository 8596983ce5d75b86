import { headers } from "next/headers";
import { Floor } from "./floor";

const cells = (at: number) => ["Pending", `***.${100 + at}.**`, "Person", "Nobody", `${at} h`, `${25 - at} d`];

/** Rendered for each request, as the console's screens are. */
export default async function Page() {
  await headers();
  return <Floor rows={Array.from({ length: 25 }, (_, at) => cells(at))} />;
}
