import type { Database } from '../../../src/db/database.ts'
import type { LedgerEntriesTable } from '../../../src/db/schema.ts'
import { openConsole, rootPassword, type SignedIn } from './accounts.ts'

interface Page {
  items: {
    id: number
    username: string
    password: string
    access_token: string
    setting: string
    organisation_id?: number
    DeletedAt: unknown
  }[]
  total: number
  page: number
  page_size: number
}

/** A console with a signed-in root and admin. */
export interface UserSite {
  readonly site: Awaited<ReturnType<typeof openConsole>>
  readonly root: SignedIn
  readonly admin: SignedIn
}

export const openUserSite = async (database: Database): Promise<UserSite> => {
  const site = await openConsole(database)
  return { site, root: await site.signIn('root', rootPassword), admin: await site.person('admin', 10) }
}

/** Helpers for the users of a site that is opened before the tests run. */
export const userHelpers = (here: () => UserSite) => {
  let count = 0
  const query = () => here().site.database.query
  const name = (): string => {
    count += 1
    return `user${count}`
  }
  const account: LedgerEntriesTable['account'] = 'user'
  return {
    /** An unused username. */
    name,
    made: (role = 1, quota = 1000, username = name()): Promise<number> =>
      here().site.users.create({ username, password: 'a good password', displayName: username, role, quota }),
    stored: (id: number) => query().selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    set: (id: number, change: object) => query().updateTable('users').set(change).where('id', '=', id).execute(),
    entriesOf: (id: number) =>
      query()
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account', '=', account)
        .where('account_id', '=', id)
        .orderBy('id')
        .execute(),
    trailOf: (id: number) =>
      query().selectFrom('audit').selectAll().where('object_id', '=', String(id)).orderBy('id').execute(),
    page: async (path: string): Promise<Page> => (await here().admin.call('GET', path)).json.data as unknown as Page,
  }
}
