import { isStoreOpen } from "@/lib/health";

export const dynamic = "force-dynamic";

/** 200 once the process serves and its store answers; says nothing else. */
export async function GET(): Promise<Response> {
  return (await isStoreOpen())
    ? Response.json({ status: "ok" })
    : Response.json({ status: "store unavailable" }, { status: 503 });
}
