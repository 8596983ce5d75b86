import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingStaff() {
  return <ListSkeleton />;
}
