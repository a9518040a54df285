import { PageHeader } from '../ui/page-header.tsx'

export default function Home() {
  return <PageHeader title="Home" />
}
