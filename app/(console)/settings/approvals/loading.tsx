import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingPolicies() {
  return <ListSkeleton />;
}
