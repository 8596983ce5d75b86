import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingSecurity() {
  return <ListSkeleton hasToolbar={false} />;
}
