import { RecordSkeleton } from "@/components/record-skeleton";

export default function LoadingProposal() {
  return <RecordSkeleton />;
}
