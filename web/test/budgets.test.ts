import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { distFolder } from '../../server/src/workspace/stamp.ts'
import { buildScreens } from './support/workspace.ts'

// What a browser has to load, by the manifest of a real build, in kB of 1,000 bytes as gzip makes them.

type Chunk = {
  file: string
  name?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
  assets?: string[]
}

const budgets = {
  'before the first screen': 170,
  // with the drawings of plans, of load, of time, of fields on the pages of a document, the rows of Home, and the
  // figures and people of records, charts, dashboards with their editor and reports, the grids of the calendar, the log,
  // what is answered to a meeting by mail, written documents and transcripts, the gallery of surveys and forms in tasks
  'style, in all': 34.3,
  'the font': 50,
} as const

/** Limits for other routes and for code loaded after a page is shown, for which the design has no sizes. */
const otherRoute = 130.9

/** What a script loads on top of that, by its name; about 1 % of each is that texts are asked for by language. */
const routeBudgets: { [name: string]: number } = {
  // with how the service compares texts, for choosers
  // and what is next for a deal, its people, the open work and next meeting of a customer, and where fields stand
  record: 157.4,
  // their heads have the figures of any record, whose script their pages have loaded
  'project-head': 159.5,
  surveys: 167.8,
  // once the results stand, what they are asked by; and the tab that sends, both with people, days and menus to choose
  'survey-results': 179.4,
  'survey-share': 192.5,
  // above the list: with the questions that a survey begins with, in six languages
  'new-survey': 173.6,
  // on top of the plan, which its page has loaded in most cases, with how long tasks take, and what waits for a connection
  timeline: 215.9,
  // above the calendar or a list, with what creates in both
  'new-meeting': 139.4,
  // the page of a task has loaded most of it: its own are few
  'task-form': 169.9,
  list: 65,
  // with the drawer of all fields and where they stand, what a stage asks for, how choosers create, and the place of the
  // log in the navigation
  records: 133.3,
  // on top of what records have in common: their pages, what is placed on them, by hand or at a text, what two prepare
  // at once, and what is used again
  document: 189.6,
  // written documents: their editor, on top of that of comments and of the page of a document, most of which is loaded
  write: 340.0,
  // pdf.js, once a PDF is opened
  pdf: 145,
  // on a page that has loaded most of it, with the dialogs of a task, the report of time, and how days are counted;
  // what numbers are filtered by is a script of its own, which dashboards have too
  tasks: 203.8,
  // the numbers of the team: dashboards with reports on them and the way to the records behind, reports with what they ask
  // and draw, and the log; above it a dashboard's editor and the activity of customers, whose own are 10
  insight: 149.4,
  'dashboard-edit': 174.8,
  // dialogs above pages that have loaded most of it
  // and what of a template a running project gets, where, and how full the weeks of its people are
  template: 141.1,
  inbox: 71.4,
  // its own are 15; choosers, menus and popups make up the rest, and what stands above it comes on top
  calendar: 137,
  // on top of the page of a record, which has loaded it: its own are 2
  meeting: 168.9,
  // with the one that cancels, whose words are the same
  'move-dialog': 139.0,
  'quick-look': 138.7,
  'quick-create': 139.1,
  // all their sections are in one script: the next one is there at once; with what stages need
  settings: 164.4,
  // above a plan that has loaded most of it, with menus and editors, and the engine, which is one script
  'plan-bar': 173.1,
  // including what the panel around it has already loaded; the design's 140 are only the editor
  // and the pages of records beside it, with the words by which a template fits a deal
  editor: 284.3,
}

describe('the built screens', () => {
  let manifest: { [key: string]: Chunk }

  before(async () => {
    console.log(await buildScreens())
    manifest = JSON.parse(readFileSync(join(distFolder, '.vite/manifest.json'), 'utf8'))
  })

  const kB = (file: string) => gzipSync(readFileSync(join(distFolder, file))).length / 1000
  const sum = (files: Iterable<string>) =>
    [...new Set(files)].map(kB).reduce((one, other) => one + other, 0)
  /** A chunk with what it imports at once. */
  const withImports = (key: string, found = new Set<string>()): Set<string> => {
    if (found.has(key)) return found
    found.add(key)
    for (const each of manifest[key]?.imports ?? []) withImports(each, found)
    return found
  }
  const filesOf = (keys: Iterable<string>) =>
    [...keys].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'))
  const first = () => {
    assert.ok(manifest['index.html']?.isEntry, 'the build has an entry')
    return withImports('index.html')
  }
  const within = (
    t: { diagnostic(text: string): void },
    what: string,
    size: number,
    most: number,
  ) => {
    t.diagnostic(`${what}: ${size.toFixed(1)} of ${most} kB`)
    assert.ok(size <= most, `${what}: ${size.toFixed(1)} kB, at most ${most}`)
  }

  test('load little before the first screen', (t) => {
    const what = 'before the first screen'
    within(t, what, sum(filesOf(first())), budgets[what])
  })

  /** A script by its name, with what it imports beyond what is loaded. */
  const script = (name: string, loaded = first()) => {
    const key = Object.keys(manifest).find((each) => manifest[each]?.name === name)
    assert.ok(key, `the build has a script named ${name}`)
    return [...withImports(key)].filter((each) => !loaded.has(each))
  }

  test('load what a route needs on that route', (t) => {
    const loaded = first()
    const asked = new Set(Object.values(manifest).flatMap((each) => each.dynamicImports ?? []))
    assert.ok(asked.size > 10, `only ${asked.size} scripts are loaded when they are wanted`)
    for (const key of asked) {
      const name = manifest[key]?.name ?? ''
      const own = [...withImports(key)].filter((each) => !loaded.has(each))
      within(t, name, sum(filesOf(own)), routeBudgets[name] ?? otherRoute)
    }
  })

  test('load nothing of the screens on the page where others sign', () => {
    // its size is measured with its HTML and style, by its own test
    assert.deepEqual([...withImports('src/signing/sign.ts')], ['src/signing/sign.ts'])
  })

  test('load the texts of one other language beside that', (t) => {
    for (const key of Object.keys(manifest).filter((each) => each.startsWith('src/locales/')))
      within(t, key, sum(filesOf([key])), 70.8)
  })

  test('load as little for a board as for a table', (t) => {
    // with the acts of plans and of Home, which are undone in their order
    within(t, 'a list as a board', sum(filesOf([...script('list'), ...script('board')])), 71.8)
  })

  test('load little for the command palette, wherever it is opened', (t) => {
    // every page loads it before it stands
    const list = new Set(script('list'))
    for (const name of ['home', 'inbox', 'record', 'import', 'settings', 'developers']) {
      for (const key of list) assert.ok(script(name).includes(key), `${name} loads ${key}`)
    }
    within(t, 'dialogs', sum(filesOf(script('dialogs', new Set([...first(), ...list])))), 25)
  })

  test('load little for templates', (t) => {
    const own = (name: string) => script(name).filter((key) => manifest[key]?.name === name)
    within(t, 'their gallery', sum(filesOf(own('templates'))), 18)
    within(t, 'the dialogs that use and save them', sum(filesOf(own('template'))), 20)
  })

  test('load little for timelines, of one project and of many, with the engine', (t) => {
    const names = ['timeline', 'schedule']
    const own = script('timeline').filter((key) => names.includes(manifest[key]?.name ?? ''))
    // with how days are counted, which the load of people needs without the plan
    within(t, 'timelines', sum(filesOf(own)), 24)
    const load = script('load').filter((key) => manifest[key]?.name === 'load')
    // with tasks that are dragged to another week or person, and what that comes to
    within(t, 'the load of people', sum(filesOf(load)), 6.5)
  })

  test('come in few files', (t) => {
    // a language is a file more, of which a reader loads one at most
    const all = Object.keys(manifest).filter((key) => !key.startsWith('src/locales/'))
    // what a list loads while nothing is to be done, so that it is there when it is used
    const soon = ['records', 'record', 'controls'].flatMap((name) => script(name))
    for (const [what, keys, most] of [
      ['before the first screen', first(), 2],
      ['until a list stands', [...first(), ...script('list')], 4],
      ['a list with all that it opens', [...first(), ...script('list'), ...soon], 8],
      // two of them for documents: what draws a PDF, and what tells who has signed; one with what is chosen on Home,
      // and that of the page on which others sign; two for dashboards, with the charts that others draw with too; one for
      // what stores itself while it is edited; two of surveys, for how they are shared and what their results are asked by;
      // one of what the page of a meeting shows besides who is invited, and one of what is opened above a dashboard;
      // the editor of written documents, and the choices that settings share with meetings and dashboards; the form of a
      // task; two for calendar and meetings, with what they share and what makes a meeting from a list
      ['in all', all, 56],
    ] as const) {
      const { size } = new Set(filesOf(keys))
      t.diagnostic(`${what}: ${size} of ${most} files`)
      assert.ok(size <= most, `${what}: ${size} files, at most ${most}`)
    }
  })

  test('have little style and one small font', (t) => {
    const all = Object.values(manifest)
    const files = all.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
    const style = files.filter((file) => file.endsWith('.css'))
    within(t, 'style, in all', sum(style), budgets['style, in all'])
    const fonts = new Set(files.filter((file) => file.endsWith('.woff2')))
    assert.ok(fonts.size <= 1, `fonts: ${[...fonts].join(', ')}`)
    for (const font of fonts) {
      // it is compressed as it is
      const size = readFileSync(join(distFolder, font)).length / 1000
      within(t, 'the font', size, budgets['the font'])
    }
  })

  test('name every file by its content, and have it compressed where that helps', () => {
    for (const { file } of Object.values(manifest)) {
      assert.match(file, /^assets\/[\w.-]+-[\w-]{8}\.\w+$/)
      if (!/\.(js|css)$/.test(file)) continue
      // so small that it would not become smaller
      if (readFileSync(join(distFolder, file)).length < 1500) continue
      const [plain, br, gz] = ['', '.br', '.gz'].map(
        (ending) => readFileSync(join(distFolder, `${file}${ending}`)).length,
      )
      assert.ok(br! < gz! && gz! < plain!, file)
    }
  })
})
