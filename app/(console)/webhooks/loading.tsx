import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingSubscriptions() {
  return <ListSkeleton hasToolbar={false} />;
}
