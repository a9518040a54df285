import { PageHeader } from '../ui/page-header.tsx'

export default function Developers() {
  return <PageHeader title="Developers" />
}
