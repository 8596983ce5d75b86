import { receiveDelivery } from "@/lib/webhooks/intake";

/** No session: the signature authorises. */
export async function POST(request: Request, { params }: { params: Promise<{ clientId: string }> }): Promise<Response> {
  const { clientId } = await params;
  return receiveDelivery(clientId, request);
}
