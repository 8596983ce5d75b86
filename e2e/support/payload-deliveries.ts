import { createHmac, randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { PAYLOADS } from "./payload-list";
import { type Marks, NOT_IN_HEADERS } from "./payload-marks";

/** A text as HTTP puts it into a header: by its bytes. */
export const latin1 = (text: string) => Buffer.from(text).toString("latin1");

function deliveryAt(marks: Marks, turn: number) {
  const put = (field: string, isAddress = false) => marks.put(`webhook.${field}`, "x", { turn, isAddress, count: 1 });
  const payload = {
    message: put("body.message"),
    status: put("body.status"),
    unknown: { deep: [{ text: put("body.unknown.deep.text") }], [put("body.unknown (name of a field)")]: turn },
    network: put("body.network"),
    amount: put("body.amount"),
    fullName: put("body.fullName"),
    documentNumber: put("body.documentNumber"),
    biometricUrl: put("body.biometricUrl", true),
    onBoardingId: put("body.onBoardingId"),
    account: { accountId: put("body.account.accountId"), branch: put("body.account.branch") },
  };
  const isSendable = !NOT_IN_HEADERS.includes(turn);
  const event = isSendable ? put("header of the event") : "onboarding-create";
  const id = isSendable ? put("header of the id") : randomUUID();
  return { body: JSON.stringify(payload), event, id };
}

/** Delivers an event a payload with a right signature, that payload in every text of its body and its headers. */
export async function deliverAll(url: string, secret: string, marks: Marks): Promise<void> {
  for (const turn of PAYLOADS.keys()) {
    const { body, event, id } = deliveryAt(marks, turn);
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const { event: eventName, id: idName, signature: signatureName } = WEBHOOK_HEADERS;
    const headers = { [eventName]: latin1(event), [idName]: latin1(id), [signatureName]: signature };
    const answer = await fetch(url, { method: "POST", body, headers });
    expect(answer.status, `delivery ${turn}`).toBe(204);
  }
}
