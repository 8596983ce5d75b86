import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingRules() {
  return <ListSkeleton />;
}
