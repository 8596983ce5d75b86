import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingWebhooks() {
  return <ListSkeleton />;
}
