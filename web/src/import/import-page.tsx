import { PageHeader } from '../ui/page-header.tsx'

export default function Import() {
  return <PageHeader title="Import" />
}
