import type { JsonObject } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import type { UserParts } from './parts.ts'
import type { UserChange, UserStore } from './store.ts'

/** Actor who changes a user: an admin, or the user. */
export interface Changer {
  readonly id: number
  readonly username: string
  readonly ip: string
}

interface Saving {
  /** The action in the audit log, e.g. `user.update`. */
  readonly action: string
  readonly change: UserChange
  readonly endSessions: boolean
}

export interface UserSaver {
  /**
   * Writes a change together with its trace, then tells everybody who keeps the user in memory. Does nothing when
   * nothing changes. Throws AppError('username_taken').
   */
  save(by: Changer, row: UserRow, saving: Saving): Promise<void>
  /** Throws AppError('username_taken') when another user, cancelled ones included, has the name. */
  assertFree(row: UserRow, username: string | undefined): Promise<void>
}

const changed = (row: UserRow, change: UserChange): UserChange => {
  const before: JsonObject = { ...row }
  return Object.fromEntries(Object.entries(change).filter(([name, value]) => ownMember(before, name) !== value))
}

type Needs = Pick<UserParts, 'database' | 'audit' | 'endSessions' | 'removeAccessTokens' | 'userChanged'>

export const createUserSaver = (parts: Needs, store: UserStore): UserSaver => {
  const write = (by: Changer, row: UserRow, { action, change }: Saving): Promise<void> =>
    parts.database.transaction(async (trx) => {
      await store.update(trx, row.id, change)
      if (typeof change.deleted_at === 'number') await parts.removeAccessTokens(trx, row.id)
      const actor = { id: by.id, username: by.username }
      const facts = { before: { ...row }, after: { ...row, ...change } }
      await parts.audit.record({ actor, action, object: 'user', objectId: row.id, ...facts, ip: by.ip }, trx)
    })

  return {
    async save(by, row, saving) {
      const change = changed(row, saving.change)
      if (Object.keys(change).length === 0) return
      await write(by, row, { ...saving, change }).catch((cause: unknown) => {
        throw isUniqueViolation(cause) ? new AppError('username_taken', { cause }) : cause
      })
      if (saving.endSessions) await parts.endSessions(row.id)
      parts.userChanged(row.id)
    },
    async assertFree(row, username) {
      if (username === undefined || username === row.username) return
      if ((await store.byUsername(username)) !== undefined) throw new AppError('username_taken')
    },
  }
}
