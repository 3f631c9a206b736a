import type { Statement } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { presentUser } from '#server/features/users/present.ts'
import { createUserStore } from '#server/features/users/store.ts'
import { AppError } from '#server/lib/app-error.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { aRecord } from '#server-test/support/journal/records.ts'
import { newJournalDirectory, newUser, openTestLedger } from '#server-test/support/ledger/ledger.ts'
import { statementRoutes } from '../server/routes.ts'

/** A real ledger with a clock that moves by hand, and statements of it. */
export const openStatementSite = async (database: Database) => {
  const state = { now: Date.UTC(2026, 9, 10, 12) }
  const clock = () => state.now
  const { directory, remove } = await newJournalDirectory()
  const { ledger, crash } = await openTestLedger(database, directory, { now: clock })
  const users = createUserStore(database)

  const signIn = (caller: { id: number; username: string; role: number }) =>
    signedIn(
      (on) =>
        statementRoutes(on, {
          database,
          logDatabase: database,
          show: async (_viewer, id) => {
            const row = await users.byId(id)
            if (row === undefined) throw new AppError('user_not_found')
            return presentUser(row)
          },
          tokenNames: async (ids) => {
            if (ids.length === 0) return new Map()
            const rows = await database.query
              .selectFrom('tokens')
              .select(['id', 'name'])
              .where('id', 'in', [...ids])
              .execute()
            return new Map(rows.map(({ id, name }) => [id, { name }]))
          },
          quotaPerUnit: () => 500_000,
          clock,
        }),
      caller,
    )
  const operator = signIn({ id: 1_000_000, username: 'root', role: 100 })

  /** A statement as an administrator reads it; `path` is `site` or `user/1`. */
  const read = async (path: string, month: string, zone = 'UTC'): Promise<Statement> => {
    const { json } = await operator('GET', `/api/statement/${path}?month=${month}&zone=${encodeURIComponent(zone)}`)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as Statement
  }

  const csv = async (path: string, month: string, zone = 'UTC'): Promise<string> => {
    const { text } = await operator(
      'GET',
      `/api/statement/${path}/export?month=${month}&zone=${encodeURIComponent(zone)}`,
    )
    return text
  }

  let requests = 0
  /** A finished call at a moment in milliseconds; in the database once the ledger is flushed. */
  const charge = async (userId: number, quota: number, more: Parameters<typeof aRecord>[1] = {}): Promise<void> => {
    requests += 1
    const call = { at: state.now, userId, username: `user ${userId}`, tokenId: 0, tokenName: '', channelId: 0, quota }
    await ledger.recorder.charge(aRecord(`call-${requests}`, { ...call, ...more }))
  }

  const close = async (): Promise<void> => {
    await crash()
    await remove()
  }
  return {
    state,
    database,
    ledger,
    signIn,
    operator,
    read,
    csv,
    charge,
    close,
    newUser: (balance: number) => newUser(database, ledger, balance),
  }
}
export type StatementSite = Awaited<ReturnType<typeof openStatementSite>>
