/**
 * The places that may break a rule for statements, by their cause. The list only shrinks: a new statement
 * names the organization in each of its relations.
 */
export const exceptions: {
  rule: 'unbound' | 'session' | 'values'
  cause: string
  places: string[]
}[] = [
  {
    rule: 'unbound',
    cause:
      'Who calls, or who sealed a file, is found by a credential, an address, a domain or a certificate, which name no organization',
    places: [
      'server/src/records/apps/app.ts',
      'server/src/records/calendar/meeting-address.ts',
      'server/src/records/interactions/reply-by-mail.ts',
      'server/src/surfaces/application/codes.ts',
      'server/src/surfaces/application/invitations.ts',
      'server/src/surfaces/application/mailed-links.ts',
      'server/src/surfaces/application/openid.ts',
      'server/src/surfaces/application/passwords.ts',
      'server/src/surfaces/application/refresh.ts',
      'server/src/surfaces/application/sign-in-link.ts',
      'server/src/surfaces/application/sign-in.ts',
      'server/src/surfaces/application/widget.ts',
      'server/src/surfaces/inspector.ts',
      'server/src/surfaces/integration/authenticate.ts',
      'server/src/surfaces/integration/oauth/browser.ts',
      'server/src/surfaces/integration/oauth/clients.ts',
      'server/src/surfaces/integration/oauth/exchange.ts',
      'server/src/surfaces/integration/oauth/public-clients.ts',
      'server/src/surfaces/pages/check.ts',
      'server/src/surfaces/pages/signing.ts',
    ],
  },
  {
    rule: 'unbound',
    cause: 'A name of an organization is compared with those of all others, once when it is given',
    places: ['server/src/model/organizations/names.ts'],
  },
  {
    rule: 'unbound',
    cause: 'Work by the clock looks for the organizations that have some, or takes it in turns',
    places: [
      'server/src/jobs/digest.ts',
      'server/src/jobs/row-usage.ts',
      'server/src/row-quota.ts',
      'server/src/jobs/due.ts',
      'server/src/jobs/portal-overviews.ts',
      'server/src/jobs/dashboard-mails.ts',
      'server/src/jobs/connected-calendars.ts',
      'server/src/jobs/ended-surveys.ts',
      'server/src/jobs/health-days.ts',
      'server/src/jobs/housekeeping.ts',
      'server/src/jobs/orphans.ts',
      'server/src/jobs/hand-over.ts',
      'server/src/jobs/search-words.ts',
      'server/src/jobs/signatures.ts',
      'server/src/webhooks/lease.ts',
      'server/src/webhooks/waiting.ts',
    ],
  },
  {
    rule: 'unbound',
    cause: 'The operator works on the installation: provisioning, commands, and a new secret key',
    places: [
      'server/src/commands/named.ts',
      'server/src/commands/organization.ts',
      'server/src/commands/start.ts',
      'server/src/database/installation-secrets.ts',
      'server/src/demo/make.ts',
      'server/src/provision.ts',
      'server/src/setup.ts',
    ],
  },
  {
    rule: 'session',
    cause:
      'Counts that processes share, and sessions that were refreshed, are announced in the transaction',
    places: ['server/src/database/shared-counts.ts', 'server/src/database/cached-tables.ts'],
  },
  {
    rule: 'values',
    cause:
      'An archive has its organization in each row, its own too, which is there before none of them',
    places: ['server/src/archive/import.ts'],
  },
]
