import { RecordSkeleton } from "@/components/record-skeleton";

export default function LoadingFigures() {
  return <RecordSkeleton />;
}
