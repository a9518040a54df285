import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Context } from '../../kit/ground/context.ts'
import { all, mine, sql } from '../../kit/ground/sql.ts'
import { checkReadable } from '../../kit/read/one.ts'
import { textSearch } from '../../kit/read/text-search.ts'
import { readableRows } from '../../kit/record/readable.ts'
import { scope } from '../../kit/record/scope.ts'
import { Account } from '../../model/accounts/account.ts'
import { Document } from '../../model/documents/document.ts'
import { chainOf } from './versions.ts'

/** How many folders and projects of all accounts together an answer has. */
const mostParts = 2000

export const foldersQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'a search for accounts' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'how many accounts (40)' }),
  ),
})

const count = Type.Integer({ minimum: 0 })
const folder = Type.Object(
  { folder: Type.String({ description: 'as `menu_type` of its documents' }), count },
  { title: 'DocumentFolder', additionalProperties: false },
)
const project = Type.Object(
  { project_id: Type.String(), project_name: Type.String(), count },
  { title: 'DocumentFolderOfProject', additionalProperties: false },
)

/** The documents of a caller by where they belong, in numbers. */
export const foldersSchema = Type.Object(
  {
    total: count,
    mine: Type.Integer({ minimum: 0, description: 'those that you are responsible for' }),
    favourites: Type.Integer({ minimum: 0, description: 'those that you like to have at hand' }),
    accounts: Type.Array(
      Type.Object(
        {
          account_id: Type.String(),
          account_name: Type.String(),
          count,
          folders: Type.Array(folder, { description: 'by name' }),
          projects: Type.Array(project, { description: 'those with documents, by name' }),
        },
        { title: 'DocumentFoldersOfAccount', additionalProperties: false },
      ),
      { description: 'those with documents, the one with the latest change first' },
    ),
    accounts_total: Type.Integer({ minimum: 0, description: 'how many there are' }),
    inside: Type.Object(
      { count, folders: Type.Array(folder, { description: 'by name' }) },
      { description: 'documents of no account', additionalProperties: false },
    ),
  },
  { title: 'DocumentFolders', additionalProperties: false },
)

/** The latest versions of the documents that the caller sees, counted by account, folder and project. */
export async function documentFolders(
  ctx: Context,
  { q, limit = 40 }: Static<typeof foldersQuery>,
): Promise<Static<typeof foldersSchema>> {
  const search = q?.trim() ? (await textSearch(ctx, Account, q)).condition : undefined
  const found = await ctx.one<{ folders: Static<typeof foldersSchema> }>(sql`
    with counted as materialized (
      select t.account_id, t.project_id,
        case when t.menu_type ~ '[^[:space:]]' then t.menu_type end as folder, count(*) as n,
        count(*) filter (where t.document_owner = ${ctx.actor.user_id}) as mine,
        count(*) filter (where t.chain_id in (select f.document_id from document_favourites f
          where ${mine(ctx, 'f')} and f.user_id = ${ctx.actor.user_id})) as favourites,
        max(t.last_update_time) as last
      from documents t where ${all(scope(ctx, Document, 'read'), sql`t.latest_version`)}
      group by 1, 2, 3),
    own as materialized (
      select a.id as account_id, c.project_id, c.folder, c.n, c.mine, c.favourites, c.last
      from counted c
      left join ${readableRows(ctx, 'accounts')} a on a.organization_id = $organization
        and a.id = c.account_id),
    known as materialized (
      select t.id, t.account_name from accounts t
      where ${all(scope(ctx, Account, 'read'), search)}
        and t.id in (select account_id from own)),
    ranked as (select k.id, k.account_name, sum(own.n) as n, max(own.last) as last
      from own join known k on k.id = own.account_id group by 1, 2),
    shown as materialized (select *, row_number() over (order by last desc, id) as place
      from ranked order by last desc, id limit ${limit}),
    folders as (select own.account_id, min(own.folder) as folder, sum(own.n) as n
      from own where own.folder is not null
        and (own.account_id is null or own.account_id in (select id from shown))
      group by own.account_id, lower(own.folder) order by n desc limit ${mostParts}),
    projects as (select own.account_id, p.id, p.project_name, sum(own.n) as n
      from own join ${readableRows(ctx, 'projects')} p on p.organization_id = $organization
        and p.id = own.project_id
      where own.account_id in (select id from shown)
      group by 1, 2, 3 order by n desc limit ${mostParts})
    select json_build_object(
      'total', (select coalesce(sum(n), 0) from own),
      'mine', (select coalesce(sum(mine), 0) from own),
      'favourites', (select coalesce(sum(favourites), 0) from own),
      'accounts_total', (select count(*) from ranked),
      'accounts', coalesce((select json_agg(json_build_object('account_id', s.id,
          'account_name', s.account_name, 'count', s.n,
          'folders', coalesce((select json_agg(json_build_object('folder', f.folder, 'count', f.n)
            order by lower(f.folder)) from folders f where f.account_id = s.id), '[]'),
          'projects', coalesce((select json_agg(json_build_object('project_id', p.id,
            'project_name', p.project_name, 'count', p.n) order by lower(p.project_name), p.id)
            from projects p where p.account_id = s.id), '[]'))
        order by s.place) from shown s), '[]'),
      'inside', json_build_object(
        'count', (select coalesce(sum(n), 0) from own where account_id is null),
        'folders', coalesce((select json_agg(json_build_object('folder', f.folder, 'count', f.n)
          order by lower(f.folder)) from folders f where f.account_id is null), '[]'))) as folders`)
  if (!found) throw new Error('an aggregate has a row')
  return found.folders
}

/** Makes a document, in whichever version, one of the caller's favourites, or no longer one. */
export async function setFavourite(ctx: Context, id: string, isFavourite: boolean): Promise<void> {
  await checkReadable(ctx, Document, id)
  const { user_id } = ctx.actor
  if (isFavourite) {
    await ctx.run(sql`insert into document_favourites
        (organization_id, user_id, document_id, creation_time)
      select ${ctx.organization.id}, ${user_id}, ${chainOf(ctx, id)}, ${ctx.now().toISOString()}
      on conflict do nothing`)
  } else {
    await ctx.run(sql`delete from document_favourites t where ${mine(ctx)}
      and t.user_id = ${user_id} and t.document_id = ${chainOf(ctx, id)}`)
  }
}
