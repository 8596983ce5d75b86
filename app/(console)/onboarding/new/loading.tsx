import { RecordSkeleton } from "@/components/record-skeleton";

export default function LoadingForm() {
  return <RecordSkeleton />;
}
