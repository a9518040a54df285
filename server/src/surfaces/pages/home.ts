import type { FastifyInstance } from 'fastify'
import { html } from 'hono/html'
import type { Page } from './page.ts'
import { sendPage } from './page.ts'

/** `/`: where somebody who opens the printed address finds what is here. */
export function homePage(scope: FastifyInstance): void {
  scope.get('/', async (_request, reply) => sendPage(reply, 200, page))
}

const page: Page = {
  title: 'API',
  main: html`<h1>Perennial is running</h1>
    <p>
      This is the API of a customer-lifecycle platform: for the people of an organization, and for
      the automation platforms that connect to it.
    </p>
    <ul class="places">
      <li><a href="/docs/">API reference</a><span>every operation, with a form to try it</span></li>
      <li><a href="/openapi.json">OpenAPI document</a><span>for generators and clients</span></li>
      <li><a href="/readyz">State</a><span>database, files and mail</span></li>
    </ul>`,
  style: `
.places { margin: 0; padding: 0; list-style: none; }
.places li { padding: 12px 0; border-top: 1px solid var(--line); }
.places li:last-child { padding-bottom: 0; }
.places span { display: block; color: var(--quiet); font-size: 14px; }
`,
}
