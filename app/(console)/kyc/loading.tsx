import { ListSkeleton } from "@/components/list-skeleton";

export default function LoadingQueue() {
  return <ListSkeleton columns={["5.5rem", "9rem", "6rem", "7rem", "3rem", "3rem", "4rem"]} />;
}
