import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOrganization, rows, sql, startService } from '../../../test/support/service.ts'

test('events name the project of a record that is created published, or moved by a merge', async () => {
  const service = await startService()
  const org = await makeOrganization(service)
  const { token } = org.users.admin
  const post = async (path: string, body: unknown) => {
    const reply = await service.call('POST', path, { token, body })
    assert.ok(reply.status < 300, reply.text)
    return reply.headers.get('x-record-id')!
  }
  const [company, merged] = [
    await post('/api/company/', { company_name: 'Acme' }),
    await post('/api/company/', { company_name: 'Acme Inc' }),
  ]
  const project = await post('/api/project/info/', { project_name: 'Plan', company_id: merged })
  const document = await post('/api/documents/', {
    document_name: 'Offer',
    document_status: 'published',
    project_id: project,
  })
  await post('/api/company/merge/', { primary_id: company, merge_ids: [merged] })
  const events = await rows<{ type: string; project_id: string }>(
    service,
    sql`select type, project_id from events
      where (reference_id = ${document} and type = 'document_published')
        or (reference_id = ${project} and type = 'project_updated') order by type`,
  )
  assert.deepEqual(events, [
    { type: 'document_published', project_id: project },
    { type: 'project_updated', project_id: project },
  ])
})
