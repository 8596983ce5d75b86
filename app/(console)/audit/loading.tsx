import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingAudit() {
  return <ListSkeleton />;
}
