import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingAudit() {
  return <ListSkeleton />;
}
