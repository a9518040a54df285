import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { environment } from '../src/commands/environment.ts'
import { freshFolder, root, runProgram } from './support/program.ts'
import type { TestService } from './support/service.ts'
import { startService } from './support/service.ts'
import { until } from './support/until.ts'

// The files in deploy/ match the service: settings, paths of probes, metrics, files.

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
const knows = (names: string[], besides: string[] = []) =>
  assert.deepEqual(
    names.filter((name) => !Object.hasOwn(environment, name) && !besides.includes(name)),
    [],
  )

let service: TestService
let metrics: Set<string>
before(async () => {
  service = await startService({}, undefined, true)
  await until(async () => (await service.call('GET', '/readyz')).body.status === 'ready')
  const { text } = await service.call('GET', '/metrics')
  metrics = new Set([...text.matchAll(/^(?:# HELP )?([a-z_0-9]+)[ {]/gm)].map(([, name]) => name!))
})

/** The names of metrics in an expression of Prometheus: what is left without functions and labels. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replace(/\b(by|without|on) *\([^)]*\)/g, ' ')
  return [...bare.matchAll(/\b[a-z][a-z0-9_]+\b(?! *\()/g)].map(([name]) => name)
}

const exists = (name: string) =>
  name === 'up' || metrics.has(name) || metrics.has(name.replace(/_(bucket|count|sum)$/, ''))

describe('the dashboard and the alerts', () => {
  const board = JSON.parse(read('grafana.json'))
  const alerts = parse(read('alerts.yaml')).groups[0].rules
  const expressions: string[] = [
    ...board.panels.flatMap(({ targets }: any) => targets.map(({ expr }: any) => expr)),
    ...alerts.map(({ expr }: any) => expr),
  ]

  test('ask for metrics that the service has', () => {
    const metrics = expressions.flatMap(metricsIn)
    assert.ok(metrics.length > 25)
    assert.deepEqual(
      metrics.filter((name) => !exists(name)),
      [],
    )
    assert.ok(!exists('http_requests_total'))
  })

  test('ask for those of this service alone, by the name of the job', () => {
    for (const expression of expressions) {
      const selectors = expression.match(/\{[^}]*\}/g) ?? []
      assert.equal(selectors.length, metricsIn(expression).length, expression)
      for (const each of selectors) assert.match(each, /\bjob=("perennial"|~"\$job")/)
    }
  })

  test('count no live stream as a slow request', async () => {
    const streams = service.routes.filter(
      ({ operation }) => operation.gives === 'text/event-stream',
    )
    assert.ok(streams.length)
    for (const { operation } of streams) assert.match(operation.name, /^stream_/)
    for (const expression of expressions) {
      if (!expression.includes('_bucket')) continue
      assert.match(expression, /operation!~"(.*\|)?stream_\.\+"/)
    }
  })

  test(
    'raise the alerts that the rules describe, and no other',
    { skip: spawnSync('promtool', ['--version']).error !== undefined },
    () => {
      const tests = join(root, 'deploy/alerts.test.yaml')
      const { status, stdout } = spawnSync('promtool', ['test', 'rules', tests], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stdout)
    },
  )

  test('have a panel and an alert for each thing that can go wrong', () => {
    for (const { targets, title, gridPos } of board.panels) {
      assert.ok(targets.length && title && gridPos.w)
    }
    for (const { alert, expr, labels, annotations } of alerts) {
      assert.match(alert, /^Perennial[A-Z]/)
      assert.match(expr, /[<>=]=? *[\d.e]+$/)
      assert.match(labels.severity, /^(warning|critical)$/)
      assert.ok(annotations.summary.length > 20)
    }
  })
})

describe('the compose file', () => {
  const { services } = parse(read('compose.yaml'))

  test('sets what the service knows, and waits for the database', () => {
    const { environment: set, build, depends_on, init } = services.perennial
    knows(Object.keys(set))
    assert.ok(existsSync(join(root, build.dockerfile)))
    assert.equal(depends_on.database.condition, 'service_healthy')
    assert.ok(services.database.healthcheck && init)
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = services.database.environment
    const url = new URL(set.DATABASE_URL)
    assert.deepEqual(
      [url.username, url.password, url.pathname, url.hostname],
      [POSTGRES_USER, POSTGRES_PASSWORD, `/${POSTGRES_DB}`, 'database'],
    )
    assert.equal(new URL(set.SMTP_URL).hostname, 'mail')
    assert.match(set.SECRET_KEY, /^\$\{SECRET_KEY:\?/)
  })

  test('names versions, and opens nothing to other machines', () => {
    for (const { image, ports = [] } of Object.values<any>(services)) {
      if (image) assert.match(image, /:v?\d/)
      for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
    }
  })
})

describe('the example for Kubernetes', () => {
  const { items } = parse(read('kubernetes.yaml'), { merge: true })
  const ofKind = (kind: string) => items.filter((item: any) => item.kind === kind)
  const pods = items.filter(({ spec }: any) => spec?.template).map(({ spec }: any) => spec.template)

  test('sets only known variables, from existing values', () => {
    const sources = [...ofKind('Secret'), ...ofKind('ConfigMap')]
    for (const { stringData, data } of sources) knows(Object.keys(stringData ?? data))
    const names = sources.map(({ metadata }: any) => metadata.name)
    for (const { spec } of pods) {
      for (const { envFrom, env = [] } of spec.containers) {
        for (const each of envFrom) {
          assert.ok(names.includes((each.secretRef ?? each.configMapRef).name))
        }
        knows(env.map(({ name }: any) => name))
      }
    }
  })

  test('probes paths that answer, at the port that is open', async () => {
    const deployments = ofKind('Deployment')
    assert.deepEqual(
      deployments.map(({ metadata }: any) => metadata.name),
      ['perennial-web', 'perennial-worker'],
    )
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers
      assert.equal(String(container.ports[0].containerPort), environment.PORT!.otherwise)
      for (const kind of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const { path, port } = container[kind].httpGet
        assert.equal(port, 'http')
        assert.equal((await service.call('GET', path)).status, 200)
      }
      const answer = await runProgram([...container.args, '--help'])
      assert.equal(answer.status, 0, answer.err)
    }
    assert.equal((await runProgram(['serve', '--role', 'server'])).status, 2)
  })

  test('runs as nobody in particular, and writes only where it may', () => {
    for (const { spec } of pods) {
      assert.equal(spec.securityContext.runAsNonRoot, true)
      const [container] = spec.containers
      assert.equal(container.securityContext.readOnlyRootFilesystem, true)
      const mounted = container.volumeMounts.map(({ name }: any) => name)
      assert.deepEqual(
        mounted,
        spec.volumes.map(({ name }: any) => name),
      )
    }
  })
})

describe('the unit for systemd', () => {
  const unit = read('perennial.service')

  test('sets only known variables, and starts what npm has installed', () => {
    const set = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, text]) => text!.split(' '))
    knows(
      set.map((each) => each.split('=')[0]!),
      ['NODE_ENV', 'NODE_COMPILE_CACHE'],
    )
    assert.match(unit, /^ExecStart=\/opt\/perennial\/bin\/perennial serve$/m)
  })

  test(
    'is one to systemd',
    { skip: spawnSync('systemd-analyze', ['--version']).error !== undefined },
    () => {
      const path = join(freshFolder(), 'perennial.service')
      writeFileSync(path, unit.replace('/opt/perennial/bin/perennial', process.execPath))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], {
        encoding: 'utf8',
      })
      const about = stderr.split('\n').filter((line) => line.includes('perennial.service'))
      assert.deepEqual([status, about], [0, []])
    },
  )
})

describe('the installation', () => {
  test('lets npm run the install scripts of exactly the packages that have one', () => {
    const parsed = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
    const packages: { [path: string]: { hasInstallScript?: boolean } } =
      parsed('package-lock.json').packages
    const scripted = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)
    assert.deepEqual(
      Object.keys(parsed('package.json').allowScripts).toSorted(),
      scripted.map((path) => path.replace(/.*node_modules\//, '')).toSorted(),
    )
  })
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('is built from existing files, and runs as an unprivileged user', () => {
    const stages = dockerfile.split(/^FROM /m).slice(1)
    assert.equal(stages.length, 2)
    const last = stages[1]!
    assert.match(last, /^USER node$/m)
    assert.match(last, /^HEALTHCHECK /m)
    const set = [...last.matchAll(/^ENV (.*)$/gm)].flatMap(([, text]) => text!.split(' '))
    knows(
      set.map((each) => each.split('=')[0]!),
      ['NODE_ENV', 'NODE_COMPILE_CACHE'],
    )
    const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node
    for (const stage of stages) assert.match(stage, RegExp(`^node:${version.split('.')[0]}-`))
    assert.match(last, /^ENTRYPOINT \["perennial"\]$/m)
    const [, probe] = /node_modules\/perennial\/(deploy\/\w+)\.js"/.exec(last)!
    assert.ok(existsSync(join(root, `${probe}.ts`)))
    assert.ok(readFileSync(join(root, '.dockerignore'), 'utf8').includes('**/.env*\n'))
  })
})
