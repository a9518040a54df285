import { Type } from 'typebox'
import type { Actor, Context, Query } from '../../kit/ground/context.ts'
import { orNull } from '../../kit/ground/json-schema.ts'
import type { Action } from '../../kit/ground/operation.ts'
import type { AnyRecord } from '../../kit/record/record.ts'
import { record } from '../../kit/record/record.ts'
import { moduleWordIn, numberedRecords } from '../../kit/record/modules.ts'
import { readerId } from '../../kit/record/readable.ts'
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
import { tagged } from '../attached/tagged.ts'
import {
  boolean,
  customFields,
  date,
  integer,
  key,
  list,
  listOf,
  number,
  object,
  oneOf,
  reference,
  stamp,
  tagList,
  text,
  timestamp,
  url,
} from '../../kit/record/fields.ts'

const here = 'organization_id = $organization'
/** An id that the external signing service assigned. */
const externalId = { isUnshown: true, schema: { minimum: 1 } } as const
const instantOrNull = orNull(Type.String({ format: 'date-time' }))

/** One version of a document, with its file or text and its signatures (specification 2.3). */
export const Document = record(
  {
    module: 'documents',
    number: 6,
    word: 'document',
    title: 'document_name',
    page: {
      strip: ['document_status', 'signature_status', 'document_owner', 'due_date'],
      rail: ['account_id', 'project_id', 'start_date', 'description', 'tags'],
    },
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
      personal: { is_favourite: favouritesOf },
    },
    apps: {
      scope: { word: 'document', things: 'documents and their signatures' },
    },
    events: {
      assignees: ['document_owner'],
      kinds: {
        document_created: { on: 'created', summary: 'A document was created' },
        document_updated: { on: 'updated', summary: 'A document was updated' },
        document_deleted: { on: 'deleted', summary: 'A document was deleted' },
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
    id: text(25, { readOnly: true }),
    attach_id: key(),
    organization: text(25, { isUnshown: true, expression: 't.organization_id' }),
    document_name: text(255, { required: true, folded: 't.document_name_key' }),
    description: text(),
    module_id: integer({ readOnly: true, nullable: true, isUnshown: true }),
    module_name: text(40, {
      isSystem: true,
      nullable: true,
      expression: () => moduleWordIn('t.module_id'),
    }),
    sub_module: text(100, { isUnshown: true }),
    reference_id: text(25, { readOnly: true, nullable: true, isUnshown: true }),
    account_id: reference({
      table: 'accounts',
      shows: null,
      to: (): AnyRecord => Account,
      by: { account_id: { column: 'id' }, id: { column: 'id' } },
    }),
    project_id: reference({
      table: 'projects',
      shows: null,
      to: (): AnyRecord => ProjectOrDeal,
      by: { project_id: { column: 'id' }, id: { column: 'id' } },
    }),
    // as the body states for an external file, as detected for one stored here
    storage_type: text(20, { isUnshown: true }),
    file_name: text(255, { isStated: true }),
    zip_file_name: text(255, { isUnshown: true }),
    file_type: text(255, { isStated: true }),
    file_size: integer({ schema: { minimum: 0 }, look: 'bytes', isStated: true }),
    file_path: text(255, {
      nullable: true,
      isUnshown: true,
      expression: `(case when t.storage_key is not null then '/api/documents/' || t.id || '/file/' end)`,
    }),
    file_icon: text(40, { isUnshown: true }),
    file_hash: text(64, {
      readOnly: true,
      nullable: true,
      isUnshown: true,
      refusal: 'is computed from the file',
    }),
    external_file_url: url(),
    is_editorjs_document: boolean({
      default: false,
      isUnshown: true,
      read: '(t.is_editorjs_document or t.editorjs_content is not null)',
    }),
    editorjs_content: object(),
    editor_html_content: text(500_000, { isUnshown: true, filterable: false }),
    in_line_type: integer({ isUnshown: true }),
    menu_type: text(100),
    is_private: boolean({ default: false }),
    is_shared: boolean({ default: false }),
    // a body may name people in any form; their ids are stored and shown
    private_users: list(
      {},
      {
        default: [],
        isUnshown: true,
        filterable: false,
        shown: list(Type.String({ maxLength: 25 })),
        read: 't.private_users',
      },
    ),
    show_download_icon: boolean({ default: true, isUnshown: true }),
    show_in_document: boolean({ default: true, isUnshown: true }),
    public_config: object({ default: {} }),
    tags: tagList({ ...tagged, default: [] }),
    version: integer({ isSystem: true, readOnly: true, column: 'document_version' }),
    version_type: oneOf(['edit', 'signature'], {
      isSystem: true,
      readOnly: true,
      nullable: true,
      title: 'DocumentVersionType',
      refusal: 'follows from what made the version',
    }),
    parent_attach_id: text(25, {
      readOnly: true,
      nullable: true,
      isUnshown: true,
      refusal: 'names the version before',
    }),
    original_attach_id: text(25, {
      nullable: true,
      isUnshown: true,
      expression: `nullif(t.chain_id, t.id)`,
    }),
    latest_version: boolean({
      readOnly: true,
      default: true,
      isUnshown: true,
      refusal: 'follows from the versions',
    }),
    is_signed_version: boolean({
      isSystem: true,
      readOnly: true,
      default: false,
      refusal: 'is set when all have signed',
    }),
    document_status: oneOf(documentStatuses, {
      readOnly: true,
      title: 'DocumentStatus',
      look: 'status',
    }),
    published_at: timestamp({ readOnly: true, nullable: true }),
    signature_status: oneOf(signatureStatuses, {
      readOnly: true,
      default: 'none',
      title: 'SignatureStatus',
      look: 'status',
      refusal: 'follows from signature requests: see signature/request/',
    }),
    signature_enabled: boolean({ default: false }),
    signatures_required: integer({
      readOnly: true,
      default: 0,
      refusal: 'follows from the signature request',
    }),
    signatures_completed: integer({
      readOnly: true,
      default: 0,
      refusal: 'follows from the signatures',
    }),
    signature_recipients: listOf(
      {
        id: Type.String({ maxLength: 25 }),
        name: Type.String(),
        email: Type.String(),
        role: signatureRole,
        order: Type.Integer({ description: 'the turn in which this recipient signs' }),
        status: recipientStatus,
        sent_at: instantOrNull,
        viewed_at: instantOrNull,
        reminded_at: instantOrNull,
        is_delegated: Type.Boolean({ description: 'whether it was handed over to them' }),
        signed_at: instantOrNull,
        declined_at: instantOrNull,
        decline_reason: orNull(Type.String()),
        fields: Type.Array(storedField, {
          description: 'what the recipient fills in on the pages of the document',
        }),
      },
      {
        default: [],
        title: 'SignatureRecipient',
        look: 'signers',
        filterable: false,
        refusal: 'follows from the signature request: see signature/request/',
        expression: `(select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'email', r.email,
          'role', r.role, 'order', r.turn, 'status', r.status, 'sent_at', ${instant('r.sent_at')},
          'viewed_at', ${instant('r.viewed_at')}, 'reminded_at', ${instant('r.reminded_at')},
          'is_delegated', r.is_delegated,
          'signed_at', case when r.status in ('signed', 'approved') then ${instant('r.acted_at')} end,
          'declined_at', case when r.status = 'declined' then ${instant('r.acted_at')} end,
          'decline_reason', case when r.status = 'declined' then r.reason end,
          'fields', case when t.signature_status = 'declined' then (select coalesce(jsonb_agg(f - 'file' order by at), '[]')
            from jsonb_array_elements(r.fields) with ordinality each (f, at)) else r.fields end)
          order by r.position), '[]')
        from signature_recipients r where r.${here} and r.request_id = t.signature_request)`,
      },
    ),
    waits_for: list(Type.String({ maxLength: 320 }), {
      readOnly: true,
      default: [],
      description: 'e-mail addresses of those who are to sign or approve now',
      refusal: 'follows from the signatures',
      expression: `(select coalesce(jsonb_agg(lower(r.email) order by r.position), '[]')
        from signature_recipients r where r.${here} and r.request_id = t.signature_request
          and r.role in ('signer', 'approver') and r.status in ('sent', 'viewed'))`,
    }),
    signature_message: text(10_000, { nullable: true, expression: ofRequest('q.message') }),
    signature_expires_at: timestamp({ nullable: true, expression: ofRequest('q.expires_at') }),
    is_sequential: boolean({ nullable: true, expression: ofRequest('q.is_sequential') }),
    signature_check: text(20, {
      nullable: true,
      isUnshown: true,
      expression: ofRequest('q.check_by'),
    }),
    allow_delegation: boolean({ nullable: true, expression: ofRequest('q.allow_delegation') }),
    signed_at: timestamp({ readOnly: true, nullable: true }),
    external_template_id: integer({ ...externalId, column: 'external_template' }),
    external_template_slug: text(255, { isUnshown: true }),
    external_frozen_template_id: integer({
      ...externalId,
      column: 'external_frozen_template',
      isNotCopied: true,
    }),
    external_frozen_template_slug: text(255, { isNotCopied: true, isUnshown: true }),
    external_submission_id: integer({
      ...externalId,
      column: 'external_submission',
      isNotCopied: true,
    }),
    external_signed_document_url: text(2048, {
      readOnly: true,
      nullable: true,
      isUnshown: true,
      refusal: 'is set by the external signing service',
    }),
    external_audit_log_url: text(2048, {
      readOnly: true,
      nullable: true,
      isUnshown: true,
      refusal: 'is set by the external signing service',
    }),
    view_count: integer({ readOnly: true }),
    download_count: integer({ readOnly: true }),
    share_count: integer({ readOnly: true }),
    document_template: object(),
    is_favourite: boolean({
      isSystem: true,
      expression: `exists (select from document_favourites f where f.${here}
        and f.document_id = t.chain_id and f.user_id = ${readerId()})`,
    }),
    is_reusable: boolean({
      readOnly: true,
      default: false,
      refusal: 'is set by reusable/, which saves a copy',
    }),
    document_owner: person({ look: 'owner' }),
    start_date: date(),
    due_date: date({ look: 'due' }),
    forecasted_date: date({
      look: 'due',
      audience: { read: 'case when t.show_forecasted_date then t.forecasted_date end' },
    }),
    show_forecasted_date: boolean({ default: false }),
    revenue: number({ isMoney: true, audience: 'internal' }),
    is_arr: boolean({ default: false, audience: 'internal' }),
    document_fee: number({ isMoney: true, audience: 'internal' }),
    custom_fields: customFields(),
    is_deleted: boolean({ isUnshown: true, expression: '(t.deleted_at is not null)' }),
    created_by: createdBy(),
    creation_time: stamp(),
    last_update_time: stamp(),
  },
)

/**
 * The columns of a document that signing, sealing and downloads read straight from the table;
 * instants are ISO text.
 */
export type StoredDocument = {
  id: string
  /** how often the record was changed, unlike the number of this version of the document */
  version: number
  document_name: string
  description: string | null
  account_id: string | null
  project_id: string | null
  is_private: boolean
  is_reusable: boolean
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

/** Those of these documents that are the reader's favourites. */
async function favouritesOf(reader: Context, ids: string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const found = await reader.all<{ id: string }>(sql`
    select t.id from documents t join document_favourites f on f.organization_id = $organization
      and f.document_id = t.chain_id and f.user_id = ${reader.actor.user_id}
    where ${mine(reader)} and t.id = any(${ids}::varchar[])`)
  return new Set(found.map(({ id }) => id))
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
