import assert from 'node:assert/strict'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from '../kit/ground/files.ts'
import { removeTemporaryFolders } from './orphans.ts'

test('temporary folders of killed processes are removed a day after they were last written', async () => {
  const [left, used] = await Promise.all([makeTemporaryFolder(), makeTemporaryFolder()])
  try {
    const long = new Date(Date.now() - 2 * 86_400_000)
    for (const folder of [left, used]) {
      writeFileSync(join(folder, 'file'), 'all about a person')
      utimesSync(folder, long, long)
    }
    utimesSync(join(left, 'file'), long, long)
    assert.ok((await removeTemporaryFolders()) >= 1)
    assert.ok(!existsSync(left))
    assert.ok(existsSync(join(used, 'file')), 'something in it was written today')
  } finally {
    await rm(used, { recursive: true })
  }
})
