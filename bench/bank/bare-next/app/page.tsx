import { headers } from "next/headers";
import { Floor } from "./floor";

/** Rendered for each request, as the console's screens are. */
export default async function Page() {
  await headers();
  const rows = Array.from({ length: 25 }, (_, at) => ({
    id: `row-${at}`,
    cells: ["Pending", `***.${100 + at}.**`, "Person", "Nobody", `${at} h`, `${25 - at} d`],
  }));
  return <Floor rows={rows} />;
}
