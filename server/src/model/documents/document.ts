import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import type { Action } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { moduleWordIn, numberedRecords } from '../../kit/record/modules.ts'
import { mayAll } from '../../kit/record/scope.ts'
import { mine, sql } from '../../kit/ground/sql.ts'
import { Account } from '../accounts/account.ts'
import { ofAttachedProjectOrAccount } from '../projects/attached.ts'
import { ProjectOrDeal } from '../projects/project.ts'
import { createdBy, person } from '../people/person.ts'
import { sharedAlone } from '../attached/shared.ts'
import type { SignatureStatus } from './requests/states.ts'
import { storedField } from './requests/placed-fields.ts'
import { recipientStatus, signatureRole, signatureStatuses } from './requests/states.ts'
import type { DocumentStatus } from './states.ts'
import { documentStatuses } from './states.ts'
import {
  amount,
  boolean,
  computed,
  computedAlways,
  customFields,
  date,
  defaulted,
  folded,
  integer,
  internal,
  key,
  list,
  listOf,
  looks,
  notCopied,
  number,
  object,
  oneOf,
  optional,
  readAs,
  readOnly,
  readOnlyOrNull,
  reference,
  required,
  setElsewhere,
  sharedPart,
  stated,
  tagList,
  tagged,
  text,
  timestamp,
  titled,
  unlisted,
  unshown,
  url,
} from '../../kit/record/fields.ts'

const here = 'organization_id = $organization'
/** An id that the external signing service assigned. */
const externalId = () => optional(integer({ minimum: 1 }))
const instantOrNull = orNull(Type.String({ format: 'date-time' }))

/** One version of a document, with its file or text and its signatures (specification 2.3). */
export const Document = record(
  {
    module: 'documents',
    number: 6,
    word: 'document',
    title: 'document_name',
    aliases: { name: 'document_name' },
    open: true,
    rights: {
      owners: ['created_by', 'document_owner'],
      owned: (people) => sql`t.private_users ?| ${people.filter((id) => id !== null)}::text[]`,
      attached: ofAttachedProjectOrAccount,
      takesPart,
      shared: sharedAlone,
      visible,
    },
    life: {
      loose: [
        { column: 'reference_id', module: 'module_id', onRemoval: 'clear' },
        { column: 'chain_id', to: ['documents'] },
        { column: 'parent_attach_id', to: ['documents'] },
        { column: 'private_users', to: ['users'], isJson: true },
        { column: 'document_template', to: ['templates'], isJson: true },
      ],
      handOver: [{ column: 'private_users', isList: true }],
    },
    find: {
      search: ['document_name', 'file_name'],
      searchable: { only: 't.latest_version' },
    },
    apps: {
      scope: { word: 'document', things: 'documents and their signatures', isReadOnly: true },
    },
    events: {
      assignees: ['document_owner'],
      kinds: {
        document_published: {
          summary: 'A document was published',
          after: { document_status: 'published' },
          changes: { document_status: 'draft' },
        },
        document_signature_requested: {
          summary: 'Signatures of a document were requested',
          after: { signature_status: 'pending' },
          changes: { signature_status: 'none' },
        },
        document_signed: {
          summary: 'All signers signed a document',
          after: { signature_status: 'signed' },
          changes: { signature_status: 'pending' },
        },
        document_declined: {
          summary: 'Someone declined to sign a document',
          after: { signature_status: 'declined' },
          changes: { signature_status: 'pending' },
        },
      },
    },
  },
  {
    id: readOnly(text(25)),
    attach_id: key(),
    organization: unshown(computedAlways(text(25), 't.organization_id')),
    document_name: required(folded(text(255), 'document_name_key')),
    description: optional(text()),
    module_id: unshown(readOnlyOrNull(integer())),
    module_name: computed(text(40), () => moduleWordIn('t.module_id')),
    sub_module: unshown(optional(text(100))),
    reference_id: unshown(readOnlyOrNull(text(25))),
    account_id: optional(
      reference({
        table: 'accounts',
        shows: null,
        to: (): AnyRecord => Account,
        by: { account_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    project_id: optional(
      reference({
        table: 'projects',
        shows: null,
        to: (): AnyRecord => ProjectOrDeal,
        by: { project_id: { column: 'id' }, id: { column: 'id' } },
      }),
    ),
    // as the body states for an external file, as detected for one stored here
    storage_type: unshown(optional(text(20))),
    file_name: stated(optional(text(255))),
    zip_file_name: unshown(optional(text(255))),
    file_type: stated(optional(text(255))),
    file_size: stated(looks('bytes', optional(integer({ minimum: 0 })))),
    file_path: unshown(
      computed(
        text(255),
        `(case when t.storage_key is not null then '/api/documents/' || t.id || '/file/' end)`,
      ),
    ),
    file_icon: unshown(optional(text(40))),
    file_hash: unshown(setElsewhere(readOnlyOrNull(text(64)), 'is computed from the file')),
    external_file_url: optional(url()),
    is_editorjs_document: unshown(
      readAs(
        defaulted(boolean(), false),
        boolean(),
        '(t.is_editorjs_document or t.editorjs_content is not null)',
      ),
    ),
    editorjs_content: optional(object()),
    editor_html_content: unshown(optional(unlisted(text(500_000)))),
    in_line_type: unshown(optional(integer())),
    menu_type: unshown(optional(text(100))),
    is_private: defaulted(boolean(), false),
    is_shared: defaulted(boolean(), false),
    // a body may name people in any form; their ids are stored and shown
    private_users: unshown(
      readAs(
        defaulted(unlisted(list({})), []),
        list(Type.String({ maxLength: 25 })),
        't.private_users',
      ),
    ),
    show_download_icon: unshown(defaulted(boolean(), true)),
    show_in_document: unshown(defaulted(boolean(), true)),
    public_config: defaulted(object(), {}),
    tags: tagged(defaulted(tagList(), [])),
    version: { ...readOnly(integer()), column: 'document_version' },
    version_type: setElsewhere(
      readOnlyOrNull(titled('DocumentVersionType', oneOf('edit', 'signature'))),
      'follows from what made the version',
    ),
    parent_attach_id: unshown(setElsewhere(readOnlyOrNull(text(25)), 'names the version before')),
    original_attach_id: unshown(computed(text(25), `nullif(t.chain_id, t.id)`)),
    latest_version: unshown(setElsewhere(readOnly(boolean()), 'follows from the versions', true)),
    is_signed_version: setElsewhere(readOnly(boolean()), 'is set when all have signed', false),
    document_status: looks(
      'status',
      readOnly(titled('DocumentStatus', oneOf(...documentStatuses))),
    ),
    published_at: readOnlyOrNull(timestamp()),
    signature_status: looks(
      'status',
      setElsewhere(
        readOnly(titled('SignatureStatus', oneOf(...signatureStatuses))),
        'follows from signature requests: see signature/request/',
        'none',
      ),
    ),
    signature_enabled: defaulted(boolean(), false),
    signatures_required: setElsewhere(readOnly(integer()), 'follows from the signature request', 0),
    signatures_completed: setElsewhere(readOnly(integer()), 'follows from the signatures', 0),
    signature_recipients: setElsewhere(
      computedAlways(
        unlisted(
          listOf(
            {
              id: Type.String({ maxLength: 25 }),
              name: Type.String(),
              email: Type.String(),
              role: signatureRole,
              order: Type.Integer({ description: 'the turn in which this recipient signs' }),
              status: recipientStatus,
              sent_at: instantOrNull,
              viewed_at: instantOrNull,
              signed_at: instantOrNull,
              declined_at: instantOrNull,
              decline_reason: orNull(Type.String()),
              fields: Type.Array(storedField, {
                description: 'what the recipient fills in on the pages of the document',
              }),
            },
            'SignatureRecipient',
          ),
        ),
        `(select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'email', r.email,
          'role', r.role, 'order', r.turn, 'status', r.status, 'sent_at', ${instant('r.sent_at')},
          'viewed_at', ${instant('r.viewed_at')},
          'signed_at', case when r.status in ('signed', 'approved') then ${instant('r.acted_at')} end,
          'declined_at', case when r.status = 'declined' then ${instant('r.acted_at')} end,
          'decline_reason', case when r.status = 'declined' then r.reason end,
          'fields', r.fields)
          order by r.position), '[]')
        from signature_recipients r where r.${here} and r.request_id = t.signature_request)`,
      ),
      'follows from the signature request: see signature/request/',
      [],
    ),
    signature_message: computed(text(), ofRequest('q.message')),
    signature_expires_at: computed(timestamp(), ofRequest('q.expires_at')),
    is_sequential: computed(boolean(), ofRequest('q.is_sequential')),
    signed_at: readOnlyOrNull(timestamp()),
    external_template_id: unshown({ ...externalId(), column: 'external_template' }),
    external_template_slug: unshown(optional(text(255))),
    external_frozen_template_id: unshown(
      notCopied({ ...externalId(), column: 'external_frozen_template' }),
    ),
    external_frozen_template_slug: unshown(notCopied(optional(text(255)))),
    external_submission_id: unshown(notCopied({ ...externalId(), column: 'external_submission' })),
    external_signed_document_url: unshown(
      setElsewhere(readOnlyOrNull(text(2048)), 'is set by the external signing service'),
    ),
    external_audit_log_url: unshown(
      setElsewhere(readOnlyOrNull(text(2048)), 'is set by the external signing service'),
    ),
    view_count: readOnly(integer()),
    download_count: readOnly(integer()),
    share_count: readOnly(integer()),
    document_template: optional(object()),
    document_owner: looks('owner', optional(person())),
    start_date: optional(date()),
    due_date: looks('due', optional(date())),
    forecasted_date: looks(
      'due',
      sharedPart(optional(date()), 'case when t.show_forecasted_date then t.forecasted_date end'),
    ),
    show_forecasted_date: defaulted(boolean(), false),
    revenue: internal(optional(amount(number()))),
    is_arr: internal(defaulted(boolean(), false)),
    document_fee: internal(optional(amount(number()))),
    custom_fields: customFields(),
    is_deleted: unshown(computedAlways(boolean(), '(t.deleted_at is not null)')),
    created_by: createdBy(),
    creation_time: readOnly(timestamp()),
    last_update_time: readOnly(timestamp()),
  },
)

/**
 * The columns of a document that signing, sealing and downloads read straight from the table;
 * instants are ISO text.
 */
export type StoredDocument = {
  id: string
  document_name: string
  description: string | null
  project_id: string | null
  is_private: boolean
  /** the key of its file in the store */
  storage_key: string | null
  file_name: string | null
  file_type: string | null
  file_size: number | null
  file_hash: string | null
  file_time: string | null
  external_file_url: string | null
  editorjs_content: { [key: string]: unknown } | null
  editor_html_content: string | null
  document_status: DocumentStatus
  latest_version: boolean
  signature_status: SignatureStatus
  signatures_required: number
  signatures_completed: number
  signature_request: string | null
  signed_at: string | null
  external_submission: number | null
  external_template: number | null
  external_template_slug: string | null
  external_signed_document_url: string | null
  external_audit_log_url: string | null
}

/**
 * Private documents, those of hidden projects and those attached to private records are for their own
 * people and the administrators.
 */
function visible(ctx: Context, action: Action): Query | undefined {
  const { actor } = ctx
  if (mayAll(actor, 'roles', 'update')) return undefined
  const me = actor.user_id
  return sql`(t.created_by = ${me} or t.document_owner = ${me} or t.private_users ? ${me}::text
    or (not t.is_private and ${hangsOnVisible(ctx, action)} and not exists (select from projects p
      where p.organization_id = $organization and p.id = t.project_id
        and (p.is_private or not p.visible_to_all) and p.created_by is distinct from ${me}
        and p.project_owner is distinct from ${me} and p.project_manager is distinct from ${me}
        and not exists (select from project_members m where m.organization_id = $organization
          and m.project_id = p.id and m.user_id = ${me}))))`
}

/** Whether the record that a document is attached to is not hidden from the caller as private. */
function hangsOnVisible(ctx: Context, action: Action): Query {
  const hidden = numberedRecords().flatMap((record) => {
    const open = record.table === 'documents' ? undefined : record.rights.visible?.(ctx, action)
    if (!open) return []
    return [
      sql`when about.module = ${record.number} then exists (select from ${sql.table(record.table)} t
        where ${mine(ctx)} and t.id = about.id and ${open} is not true)`,
    ]
  })
  return sql`(t.reference_id is null or exists (select from (values (t.module_id, t.reference_id))
    about (module, id) where not case ${sql.join(hidden, sql` `)} else false end))`
}

/** Its own people, and the recipients of its signature request, by e-mail address. */
function takesPart({ user_id: me }: Actor): Query {
  return sql`(t.created_by = ${me} or t.document_owner = ${me} or t.private_users ? ${me}::text
    or exists (select from signature_recipients r
      join users u on u.organization_id = $organization and u.email_key = lower(r.email)
      where r.organization_id = $organization and r.request_id = t.signature_request
        and u.id = ${me}))`
}

/** An instant inside JSON, in the format of every other instant. */
function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function ofRequest(column: string): string {
  return `(select ${column} from signature_requests q where q.${here} and q.id = t.signature_request)`
}
