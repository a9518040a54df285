import { randomBytes } from 'node:crypto'
import { newId } from '../../src/kit/ground/ids.ts'
import { createOrganization } from '../../src/records/organizations/organization.ts'
import { createUser } from '../../src/records/users/create.ts'
import type { RoleKind } from '../../src/model/users/roles/permissions.ts'
import { roleKinds } from '../../src/model/users/roles/permissions.ts'
import { hashPassword } from '../../src/secrets.ts'
import type { Service } from '../../src/service.ts'
import type { Identity } from '../../src/surfaces/application/sign-in.ts'

export type Member = { user_id: string; email: string; token: string }
export type TestOrganization = {
  id: string
  name: string
  roles: { [kind in RoleKind]: string }
  users: { [kind in RoleKind]: Member }
}

export const password = 'correct horse battery staple'
let passwordHash: Promise<string> | undefined

/** An organization for the test, with a signed-in user of every built-in role. */
export async function makeOrganization(
  service: Pick<Service, 'runtime' | 'signIn'>,
  timezone = 'UTC',
): Promise<TestOrganization> {
  passwordHash ??= hashPassword(password)
  const password_hash = await passwordHash
  const id = newId()
  const name = `Organization ${randomBytes(4).toString('hex')}`
  const { database } = service.runtime
  const { roles, ids } = await database.transaction(id, async (queries) => {
    const made = await createOrganization(queries, id, { name, timezone })
    const people = {} as { [kind in RoleKind]: string }
    for (const kind of roleKinds) {
      const email = `${kind}@${id}.test`
      people[kind] = await createUser(queries, id, {
        email,
        full_name: `${kind} of ${name}`,
        password_hash,
        role_id: made[kind],
      })
    }
    return { roles: made, ids: people }
  })
  const users = {} as TestOrganization['users']
  for (const kind of roleKinds) {
    const member = { user_id: ids[kind], email: `${kind}@${id}.test` }
    users[kind] = {
      ...member,
      token: await tokenFor(service, {
        organization_id: id,
        full_name: kind,
        role: kind,
        ...member,
      }),
    }
  }
  return { id, name, roles, users }
}

/** A session's access token, without the cost of checking a password. */
export async function tokenFor(
  { signIn }: Pick<Service, 'signIn'>,
  identity: Identity,
): Promise<string> {
  const session = (await signIn.start(identity)) as { access_token: string }
  return session.access_token
}
