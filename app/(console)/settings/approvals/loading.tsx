import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingPolicies() {
  return <ListSkeleton />;
}
