import { ListSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingSecurity() {
  return <ListSkeleton hasToolbar={false} />;
}
