import { RecordSkeleton } from "@/components/layout/screen-skeleton";

export default function LoadingForm() {
  return <RecordSkeleton />;
}
