import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingSubscriptions() {
  return <ListSkeleton hasToolbar={false} columns={["5rem", "16rem", "14rem"]} />;
}
