import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingStaff() {
  return <ListSkeleton />;
}
