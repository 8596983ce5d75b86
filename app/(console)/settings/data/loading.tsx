import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingRetention() {
  return <ListSkeleton />;
}
