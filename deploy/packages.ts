import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes the packages that are published beside the service: npm run packages -- FOLDER [sdk] [n8n]. Who publishes them
// is one setting, RELEASE_PUBLISHER, as npm writes people: NAME <E-MAIL> (ADDRESS OF THE REPOSITORY). The author, the
// repository, the homepage, where problems are reported and links to the guides follow from it. The n8n nodes have to
// be built before (`npm run connectors:test` does it).

type Package = {
  name: string
  version: string
  license: string
  scripts?: object
  devDependencies?: object
  peerDependencies?: { [name: string]: string }
}

/** Stands in sources for the address of the repository; what is published never has it. */
const placeholder = 'https://repository.invalid'

const root = fileURLToPath(new URL('../', import.meta.url))
const [folder, ...wanted] = process.argv.slice(2)
if (!folder) fail('Name the folder for the packages: npm run packages -- FOLDER')
const publisher = /^(.*\S) <(\S+@\S+)> \((https:\/\/[^/\s]+\/[^\s)]+?)(?:\.git|\/)?\)$/
const [, name = '', email = '', repository = ''] =
  publisher.exec(process.env.RELEASE_PUBLISHER ?? '') ??
  fail('RELEASE_PUBLISHER must be: NAME <E-MAIL> (https://HOST/OWNER/REPOSITORY)')

const packages = {
  sdk: { at: 'sdk', license: 'LICENSE', build: ['run', '-s', 'prepack'] },
  n8n: { at: 'connectors/n8n', license: 'connectors/n8n/LICENSE', build: undefined },
}
const names = Object.keys(packages) as (keyof typeof packages)[]
const unknown = wanted.find((word) => !names.some((each) => each === word))
if (unknown !== undefined) fail(`There is no package ${unknown}: ${names.join(', ')}`)
const target = resolve(folder)
fs.mkdirSync(target, { recursive: true })
for (const each of names) if (!wanted.length || wanted.includes(each)) pack(each)

/** Packs one as npm would, from a folder with what belongs to it alone. */
function pack(which: keyof typeof packages) {
  const { at, license, build } = packages[which]
  const source = join(root, at)
  if (build) execFileSync('npm', build, { cwd: source, stdio: 'inherit' })
  if (!fs.existsSync(join(source, 'dist'))) fail(`${at}/dist is not there: build it first`)
  const stage = fs.mkdtempSync(join(tmpdir(), 'perennial-package-'))
  try {
    fs.cpSync(join(source, 'dist'), join(stage, 'dist'), { recursive: true })
    fs.copyFileSync(join(source, 'README.md'), join(stage, 'README.md'))
    fs.copyFileSync(join(root, license), join(stage, 'LICENSE'))
    fs.copyFileSync(join(source, 'package.json'), join(stage, 'package.json'))
    for (const path of fs.globSync('**/*.{js,json,ts,md}', { cwd: stage })) {
      const file = join(stage, path)
      const text = fs.readFileSync(file, 'utf8')
      if (text.includes(placeholder)) {
        fs.writeFileSync(file, text.replaceAll(placeholder, repository))
      }
    }
    const {
      scripts: _,
      devDependencies: __,
      ...own
    } = JSON.parse(fs.readFileSync(join(source, 'package.json'), 'utf8')) as Package
    const content = {
      ...own,
      author: { name, email },
      homepage: `${repository}#readme`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: at },
      bugs: { url: `${repository}/issues` },
    }
    fs.writeFileSync(join(stage, 'package.json'), `${JSON.stringify(content, undefined, 2)}\n`)
    const packed = ['pack', '-s', '--ignore-scripts', '--pack-destination', target]
    const file = execFileSync('npm', packed, { cwd: stage, encoding: 'utf8' }).trim()
    console.log(join(target, file))
  } finally {
    fs.rmSync(stage, { recursive: true, force: true })
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}
