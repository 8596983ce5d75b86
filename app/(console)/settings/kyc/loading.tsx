import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingRules() {
  return <ListSkeleton />;
}
