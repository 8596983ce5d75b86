import { unstable_isUnrecognizedActionError as isUnknownToServer } from "next/navigation";
import { type Failure, NEW_VERSION } from "@/lib/errors/result";

/** The failure of a write that threw. A server that does not know the action has not run it. */
export function lostAnswer(error: unknown, say: (key: "newVersion" | "connectionLost") => string): Failure {
  if (isUnknownToServer(error)) return { kind: "unavailable", code: NEW_VERSION, message: say("newVersion") };
  return { kind: "unavailable", isUnanswered: true, message: say("connectionLost") };
}
