import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingCalls() {
  return <ListSkeleton />;
}
