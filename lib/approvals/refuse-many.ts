import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { refuseRequest } from "./decide";
import type { RefusingMany } from "./inputs";

/** `left`: ended, expired or decided by somebody else meanwhile. */
export type RefusedMany = { refused: string[]; left: string[] };

type Approver = Actor<"approvals:authorize">;

async function refuseOne(
  approver: Approver,
  refusing: { approvalId: string; reason: string },
): Promise<AppError | null> {
  try {
    await refuseRequest(approver, refusing);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Each in a transaction of its own and on record by itself, with the one reason. Throws the first obstacle when none is refused. */
export async function refuseMany(approver: Approver, { approvalIds, reason }: RefusingMany): Promise<RefusedMany> {
  const refused: string[] = [];
  const left: string[] = [];
  let first: AppError | null = null;
  for (const approvalId of new Set(approvalIds)) {
    const obstacle = await refuseOne(approver, { approvalId, reason });
    first ??= obstacle;
    (obstacle === null ? refused : left).push(approvalId);
  }
  if (refused.length === 0 && first !== null) throw first;
  return { refused, left };
}
