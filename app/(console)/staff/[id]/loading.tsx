import { RecordSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingPerson() {
  return <RecordSkeleton />;
}
