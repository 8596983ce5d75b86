import { NotFoundView } from "@/components/table/empty-view";

export default function RecordNotFound() {
  return <NotFoundView />;
}
