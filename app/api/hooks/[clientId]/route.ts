import { receiveDelivery } from "@/lib/webhooks/intake";

/** Where the provider delivers a tenant's events: no session, the signature is what lets one in. */
export async function POST(request: Request, { params }: { params: Promise<{ clientId: string }> }): Promise<Response> {
  const { clientId } = await params;
  return receiveDelivery(clientId, request);
}
