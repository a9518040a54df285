import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freshFolder, root } from '../../server/test/support/program.ts'

// What is published beside the service, as somebody installs it who has nothing else of ours.

/** The nodes are compiled by `npm run connectors:test`. */
const skip =
  process.env.CI_CONNECTORS === 'required' ? false : 'npm run connectors:test builds them'
const author = { name: 'Ada Example', email: 'ada@example.com' }
const repository = 'https://git.example.com/crm/perennial'

describe('a package that is published', () => {
  for (const [name, license, isSkipped] of [
    ['sdk', 'Apache License', false],
    ['n8n', 'MIT License', skip],
  ] as const) {
    test(`${name} is installed in an empty folder, alone and complete`, { skip: isSkipped }, () => {
      const folder = freshFolder()
      const env = {
        ...process.env,
        RELEASE_PUBLISHER: `Ada Example <ada@example.com> (${repository}.git)`,
      }
      const made = ['deploy/packages.ts', folder, name]
      const said = execFileSync(process.execPath, made, { cwd: root, env, encoding: 'utf8' })
      const file = said.trim().split('\n').at(-1)!
      const target = join(folder, 'empty')
      mkdirSync(target)
      writeFileSync(join(target, 'package.json'), '{"private": true, "type": "module"}')
      const install = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', file]
      execFileSync('npm', install, { cwd: target, stdio: 'pipe' })
      const [path, ...others] = globSync('node_modules/{@*/*,[!.@]*}/package.json', { cwd: target })
      assert.deepEqual(others, [])
      const at = join(target, path!, '..')
      const about = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
      assert.equal(about.homepage, `${repository}#readme`)
      assert.equal(about.repository.url, `git+${repository}.git`)
      assert.deepEqual([about.author, about.private], [author, undefined])
      assert.match(readFileSync(join(at, 'LICENSE'), 'utf8'), new RegExp(license))
      for (const each of globSync('**/*.{js,json,md,ts}', { cwd: at })) {
        assert.doesNotMatch(
          readFileSync(join(at, each), 'utf8'),
          /repository\.invalid|perennial\.example\b/,
          each,
        )
      }
      if (name === 'sdk') {
        const program = `const { Perennial } = await import('@perennial/sdk'); console.log(typeof Perennial)`
        const run = ['--input-type=module', '-e', program]
        const printed = execFileSync(process.execPath, run, { cwd: target, encoding: 'utf8' })
        assert.equal(printed.trim(), 'function')
      } else {
        const { nodes, credentials } = about.n8n
        for (const each of [...nodes, ...credentials]) {
          const loaded = spawnSync(process.execPath, ['-e', `require('./${each}')`], {
            cwd: at,
            env: { ...process.env, NODE_PATH: join(root, 'connectors/n8n/node_modules') },
            encoding: 'utf8',
          })
          assert.equal(loaded.status, 0, loaded.stderr)
        }
      }
    })
  }

  test('is not made without the one who publishes it', () => {
    const made = spawnSync(process.execPath, ['deploy/packages.ts', freshFolder(), 'sdk'], {
      cwd: root,
      env: { ...process.env, RELEASE_PUBLISHER: 'Ada' },
      encoding: 'utf8',
    })
    assert.equal(made.status, 2)
    assert.match(made.stderr, /RELEASE_PUBLISHER must be/)
  })
})
