import assert from 'node:assert/strict'
import type { FakeCalendars } from './fake-calendars.ts'
import { startGoogle } from './fake-google.ts'
import { startMicrosoft } from './fake-microsoft.ts'
import type { TestService } from './service.ts'

export const providerFakes = { google: startGoogle, microsoft: startMicrosoft }
export type FakeKind = keyof typeof providerFakes

/** From here on the service knows this provider. */
export function useProvider(service: TestService, kind: FakeKind, fake: FakeCalendars): void {
  service.runtime.services.calendarProviders[kind] = fake.provider
}

type Say = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; text: string; body: any }>

/** Connects a calendar through the provider's consent, as the screen does; answers the connection. */
export async function connectThere(
  say: Say,
  kind: FakeKind,
  fake: FakeCalendars,
  slot = 'a',
): Promise<any> {
  const begun = await say('POST', '/api/calendar/connections/begin/', { slot, kind })
  assert.equal(begun.status, 200, begun.text)
  const back = await fake.consent(begun.body.authorization_url)
  assert.equal(back.pathname, '/settings/calendars')
  const answer = Object.fromEntries(back.searchParams)
  const made = await say('POST', '/api/calendar/connections/finish/', answer)
  assert.equal(made.status, 200, made.text)
  return made.body
}
