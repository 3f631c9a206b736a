import type { Database } from '../../../src/db/database.ts'
import { removeAccessTokens } from '../../../src/features/access-tokens/store.ts'
import { openSessions } from '../../../src/features/accounts/sessions.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import { createTokenService } from '../../../src/features/tokens/service.ts'
import { openTokenStore } from '../../../src/features/tokens/store.ts'
import { userPageRoutes } from '../../../src/features/user-page/routes.ts'
import { openUserPage } from '../../../src/features/user-page/user-page.ts'
import { createUserAdministration } from '../../../src/features/users/administration.ts'
import { userRoutes } from '../../../src/features/users/routes.ts'
import { createUserSaver } from '../../../src/features/users/save.ts'
import { createUserStore } from '../../../src/features/users/store.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { aRecord } from '../journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger } from '../ledger/ledger.ts'
import { type SignedIn, signedIn } from './signed-in.ts'

/** A user of a test: the row, and calls in their name. */
export interface TestUser {
  readonly id: number
  readonly username: string
  readonly call: SignedIn
}

/** Users, their keys, a real ledger and the page about one user, over a real database; the clock moves by hand. */
export const openUserPageSite = async (database: Database) => {
  const state = { now: Date.UTC(2026, 10, 21, 12) }
  const clock = () => state.now
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const { directory, remove } = await newJournalDirectory()
  const { ledger, crash } = await openTestLedger(database, directory, { now: clock })
  const audit = openAudit(database, clock)
  const sessions = openSessions({ database, secrets, clock })
  const ended: number[] = []
  const endSessions = async (userId: number): Promise<void> => {
    ended.push(userId)
    await database.query.deleteFrom('sessions').where('user_id', '=', userId).execute()
  }
  const store = createUserStore(database)
  const parts = {
    database,
    ledger: ledger.movements,
    audit,
    writeNote: async () => undefined,
    groupExists: () => true,
    endSessions,
    removeAccessTokens,
    userChanged: () => undefined,
    clock,
  }
  const administration = createUserAdministration(parts, {
    store,
    saver: createUserSaver(parts, store),
    welcome: () => Promise.reject(new Error('these tests make users themselves')),
  })
  const tokens = createTokenService({
    mostTokens: () => 1000,
    database,
    store: openTokenStore(database),
    secrets,
    ledger: ledger.movements,
    groupUsable: () => true,
    directory: { changed: () => undefined },
    audit,
    clock,
  })
  const page = openUserPage({
    database,
    show: administration.show,
    tokensOf: (id, query) =>
      tokens.browse({ id, username: '', group: '', ip: '' }, { ...query, token: '', group: '', not: [] }),
    endSessions,
    sessions,
    audit,
    clock,
  })

  let count = 0
  const person = async (role: number, quota = 0, name?: string): Promise<TestUser> => {
    count += 1
    const username = name ?? `p${count}`
    const id = await newUser(database, ledger, quota)
    const row = { username, display_name: username, role, aff_code: `aff${count}` }
    await database.query.updateTable('users').set(row).where('id', '=', id).execute()
    const routes: Parameters<typeof signedIn>[0] = (on) => {
      userRoutes(on, administration)
      userPageRoutes(on, page)
    }
    return { id, username, call: signedIn(routes, { id, username, role }) }
  }

  let requests = 0
  /** A finished call of a user; in the database once the ledger is flushed. */
  const charge = async (
    user: { id: number; username: string },
    quota: number,
    model = 'gpt-4o-mini',
    more: Parameters<typeof aRecord>[1] = {},
  ): Promise<string> => {
    requests += 1
    const id = `request-${requests}`
    await ledger.recorder.charge(
      aRecord(id, {
        at: state.now,
        userId: user.id,
        username: user.username,
        tokenId: 0,
        channelId: 0,
        quota,
        model,
        ...more,
      }),
    )
    return id
  }

  const close = async (): Promise<void> => {
    await crash()
    await remove()
  }
  return { state, database, ledger, tokens, ended, audit, show: administration.show, person, charge, close }
}
export type UserPageSite = Awaited<ReturnType<typeof openUserPageSite>>
