import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, request } from 'node:http'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ViteDevServer } from 'vite'

/** The name of a module's script: the first whose pattern its path in `src` matches, with what it imports. */
const scripts: readonly (readonly [name: string, pattern: RegExp])[] = [
  // until rows stand
  ['list', /^records\/list\/list-page\./],
  // the command palette, and all other dialogs with it
  [
    'dialogs',
    /^shell\/(palette\/|shortcuts\/help|sign-in-again)|^ui\/(dialog|drawer|confirm-dialog)\./,
  ],
  // what numbers are drawn with, on dashboards and in the results of surveys
  ['charts', /^ui\/chart\//],
  // menus and choices, which open above the page, weigh more than all else that pages have in common
  [
    'common',
    /^ui\/(?!menu|popover|choice|combobox|picker|pagination|person-field|tags-field)|^(data\/(?!imports\.|dashboards\.|activity\.|plan-|template-|home\.|timer\.|signatures\.|meetings\.|meeting-|transcripts\.|batches\.|folders\.|calendar\.|layout\.|customer\.|preparations\.|written\.|(use-)?stored-draft\.|merged-list\.)|records\/|records\/sections\/)[^/]+$|kit\/ground\/fold\.ts$|^calendar\/invitees\.|^records\/field\/(?!signer)[\w-]+\.ts$|@tanstack\//,
  ],
  // names of roles, and languages, time zones and days to choose: for settings, meetings and dashboards
  ['choices', /^settings\/(role-name|choices)\./],
  ['controls', /^ui\/(?!scale)|^shell\/account-menu\./],
  ['board', /^records\/board\/board\./],
  // who has signed a document, in its list and on its page
  ['signers', /^(records\/field\/sign|data\/signatures\.)/],
  // which records numbers are about, above dashboards and the report of time
  ['link-filters', /^records\/field\/link-filters\./],
  ['records', /^records\/(field|form|filters|list|views|bulk)\//],
  ['moves', /^records\/board\/(move-menu|lost-reason)\./],
  // the kinds of questions and answers, for results, for the page on which a survey is built, and for the forms of tasks
  [
    'survey-kinds',
    /^surveys\/(structure|starts|kinds|kind-sign)\.|^records\/answers\/(answer-value|scale)\.|model\/forms\/[\w-]+\.ts$/,
  ],
  // days, words and free times, for the calendar and for meetings
  ['free-times', /^calendar\/(days|words|free-strip|busy-keys)\./],
  [
    'record',
    /^(records\/(?!board\/|comments\/editor\.)|accounts|deals|documents\/[^/]*$|meetings\/(attendees|meeting-head|meetings\.)|companies\/company-beside\.|data\/(meetings|layout|customer)\.)/,
  ],
  // what is on the page of a meeting besides who is invited
  ['meeting', /^meetings\/(?!new-meeting)|^data\/(meeting-|transcripts\.)/],
  // what stores itself while it is edited: surveys, templates, and what is prepared for signature
  ['stored-draft', /^data\/((use-)?stored-draft|merged-list)\./],
  // signatures of documents, and what is on their pages
  ['document', /^documents\/(?!view\/pdf\.|write\/)|^data\/(preparations|batches|folders)\./],
  ['editor', /^records\/comments\/editor\./],
  // written documents, on top of that editor
  ['write', /^documents\/write\/|^data\/written\./],
  // above the page, when something is given, moved or arranged
  ['home-choices', /^home\/(choosers|arrange)\./],
  ['home', /^home\/|^data\/home\./],
  ['inbox', /^inbox\/(?!preferences)/],
  ['import', /^import\//],
  // what stands above the tabs, before the plan
  ['project-head', /^projects\/(project-head|go-live|health-words)\./],
  // how days are counted and what moves, for plans, their timeline, their load and their templates
  ['schedule', /server\/src\/schedule\//],
  ['projects', /^projects\/(?!plan-bar|paste-dialog)[^/]*$|^data\/(plan-|timer\.)|^tasks\/spent\./],
  // shown when rows are selected or pasted, with controls that the plan itself does without
  ['plan-bar', /^projects\/(plan-bar|paste-dialog)\./],
  // on top of the plan, and both by the same calendar
  ['load', /^projects\/load\//],
  ['timeline', /^projects\//],
  ['templates', /^templates\/(bars|outline)\./],
  ['template-editor', /^templates\/editor\//],
  ['template', /^templates\/(?!gallery)/],
  // the form of a task, once its tab is opened
  ['task-form', /^tasks\/form\/|^ui\/scale\./],
  ['tasks', /^(tasks|time)\//],
  ['survey-builder', /^surveys\/builder\//],
  [
    'surveys',
    /^surveys\/(?!new-survey|start-forms|first-question|share\/|automations\/|results\/(?!place))/,
  ],
  ['new-survey', /^surveys\/(new-survey|start-forms|first-question)\./],
  // what results are asked by, and what is drawn and counted below them
  ['survey-results', /^surveys\/results\//],
  // what is for the team: how surveys are shared, and what follows their answers
  ['survey-share', /^surveys\/(share|automations)\//],
  ['calendar', /^calendar\/(?!quick-|series-|move-|cancel-)|^data\/calendar\./],
  // what is asked before a meeting is moved or cancelled
  ['series-question', /^calendar\/series-question\./],
  ['move-dialog', /^calendar\/(move|cancel)-dialog\./],
  ['insight', /^insight\/(?!edit\/|customers\/)|^data\/(dashboards|activity)\./],
  // what is opened above a dashboard: its editor with who sees it, what a number counts, what is done with a report,
  // and which customers are silent
  ['dashboard-edit', /^insight\/(edit|customers)\//],
  ['settings', /^settings\/|^shell\/own-settings\./],
  ['developers', /^developers\//],
]

/**
 * Scripts are joined by what needs them, because a browser on HTTP/1.1 fetches six at a time and a small file is not
 * compressed well: what every screen needs, what a list needs to stand, what many pages have in common, and one for
 * each area. A file that is not named here is one of its own, loaded when it is wanted.
 */
const fewFiles = {
  groups: [
    // the page on which people without an account sign is no screen, and has its own script
    { name: 'sign', test: (file: string) => isIn(/^signing\//, file) },
    { name: 'first', tags: ['$initial' as const] },
    ...scripts.map(([name, pattern]) => ({ name, test: (file: string) => isIn(pattern, file) })),
  ].map((group, at, all) => ({ ...group, priority: all.length - at })),
}

function isIn(pattern: RegExp, file: string): boolean {
  const path = relative(join(import.meta.dirname, 'src'), file)
  return /\.[jt]sx?$/.test(path) && pattern.test(path)
}

export default defineConfig(({ command }) => ({
  plugins: [react(), layersFirst(), catalogues(), pdfData(), behindServer()],
  worker: { format: 'es' },
  css: command === 'build' ? { modules: { generateScopedName: shortName() } } : {},
  build: {
    target: 'es2023',
    manifest: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // the gallery is for people who work on the components and for tests: no part of the product
    rolldownOptions: process.env.WEB_GALLERY
      ? { input: 'gallery.html' }
      : {
          input: ['index.html', 'src/signing/sign.ts'],
          output: { codeSplitting: fewFiles },
        },
  },
  server: { port: 5173, strictPort: true },
}))

/**
 * A class of the product is the number of its file and its own in it: the usual names with hashes, which nothing
 * can compress, were a sixth of the style sheet. While one works on the screens, names are readable.
 */
function shortName(): (name: string, path: string) => string {
  const files = ['src', 'gallery']
    .flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.module.css'))
    .toSorted()
  const names = files.map((): string[] => [])
  return (name, path) => {
    const [file = ''] = relative(import.meta.dirname, path).split('?')
    const at = files.indexOf(file)
    const its = names[at] ?? []
    if (!its.includes(name)) its.push(name)
    // two letters and a number, so that no two of them can be equal
    const letters = [at / 26, at % 26].map((part) => String.fromCharCode(97 + Math.floor(part)))
    return `${letters.join('')}${its.indexOf(name)}`
  }
}

/**
 * The style sheet begins with the order of the cascade's layers. The bundler joins the files of all
 * routes in an order of its own, and the first mention of a layer decides its place.
 */
function layersFirst(): Plugin {
  return {
    name: 'layers-first',
    // after the bundler has written its one style sheet
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
        file.source = `@layer base,ui,page;${file.source}`
      }
    },
  }
}

/**
 * The texts of the screens in each language but English: scripts of their own, of which the document names the one
 * of its reader. What is the same as in English is left out. While one works on the screens, they are English.
 */
function catalogues(): Plugin {
  return {
    name: 'catalogues',
    apply: 'build',
    generateBundle() {
      for (const originalFileName of globSync('src/locales/*.json', { cwd: import.meta.dirname })) {
        const path = join(import.meta.dirname, originalFileName)
        const texts = JSON.parse(readFileSync(path, 'utf8')) as { [text: string]: string }
        const own = Object.entries(texts).filter(([text, said]) => said !== text)
        const source = `globalThis.perennialTexts=${JSON.stringify(Object.fromEntries(own))}`
        const name = `texts-${basename(path, '.json')}.js`
        this.emitFile({ type: 'asset', name, originalFileName, source })
      }
    },
  }
}

/** What pdf.js asks for beside a file, by its own names: tables of encodings, fonts, and decoders of pictures. */
function pdfData(): Plugin {
  const about = createRequire(import.meta.url).resolve('pdfjs-dist/package.json')
  const source = dirname(about)
  const { version } = JSON.parse(readFileSync(about, 'utf8')) as { version: string }
  const wanted = ['cmaps/*.bcmap', 'standard_fonts/*', 'wasm/*_nowasm_fallback.js', 'wasm/LICENSE*']
  return {
    name: 'pdf-data',
    apply: 'build',
    generateBundle() {
      for (const file of wanted.flatMap((pattern) => globSync(pattern, { cwd: source }))) {
        const fileName = `assets/pdfjs-${version}/${file}`
        this.emitFile({ type: 'asset', fileName, source: readFileSync(join(source, file)) })
      }
    },
  }
}

/**
 * While one works on the screens, everything that is not a source of theirs is asked of the server, so
 * that it alone decides which addresses are screens. Its document, with the session in it, is the one
 * of the sources (`WORKSPACE=dev`), and Vite adds what it needs itself.
 */
function behindServer(): Plugin {
  const server = process.env.PERENNIAL_URL ?? 'http://127.0.0.1:3000'
  return {
    name: 'behind-server',
    configureServer(vite) {
      vite.middlewares.use((incoming, answer, next) => {
        if (isSource(vite, incoming.url ?? '/')) next()
        else forward(vite, server, incoming, answer)
      })
    },
  }
}

function isSource({ config }: ViteDevServer, url: string): boolean {
  const [path = ''] = url.split('?')
  if (/^\/(@|src\/|gallery|node_modules\/|__)/.test(path)) return true
  return path.length > 1 && existsSync(join(config.publicDir, path))
}

function forward(
  vite: ViteDevServer,
  server: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
): void {
  const { method, url = '/' } = incoming
  // pages are changed on their way
  const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
  const outgoing = request(new URL(url, server), { method, headers }, (reply) => {
    const { statusCode = 502, headers: received } = reply
    if (!received['content-type']?.startsWith('text/html')) {
      answer.writeHead(statusCode, received)
      reply.pipe(answer)
      return
    }
    void page(vite, url, reply).then(
      ({ html, isDocument }) => {
        const { 'content-length': _, 'content-security-policy': policy, ...rest } = received
        // Vite's own scripts and styles stand in the page
        const kept = isDocument || !policy ? rest : { ...rest, 'content-security-policy': policy }
        answer.writeHead(statusCode, kept).end(html)
      },
      (error: Error) => answer.writeHead(500).end(error.stack),
    )
  })
  outgoing.on('error', () => {
    if (answer.headersSent) return void answer.destroy()
    answer.writeHead(503, { 'content-type': 'text/plain', refresh: '1' })
    answer.end(`Waiting for the server at ${server}`)
  })
  answer.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}

async function page(vite: ViteDevServer, url: string, reply: IncomingMessage) {
  const html = await text(reply)
  const isDocument = html.includes('src="/src/main.tsx"')
  return { isDocument, html: isDocument ? await vite.transformIndexHtml(url, html) : html }
}
