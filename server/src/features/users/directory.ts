import { role, type User } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { hashPassword } from '../../lib/security/password.ts'
import { cancelling } from './manage.ts'
import type { UserParts } from './parts.ts'
import { presentOwn, presentUser } from './present.ts'
import { checkedDisplayName, checkedPassword, checkedUsername } from './rules.ts'
import type { Changer, UserSaver } from './save.ts'
import type { UserStore } from './store.ts'

/** Fields of the own row that a user may change; empty fields stay as they are. */
export interface ProfileChange {
  readonly username?: string | undefined
  readonly display_name?: string | undefined
  readonly password?: string | undefined
}

/** Users for those who sign them in and let them change themselves. Cancelled users are unknown here. */
export interface UserDirectory {
  byId(id: number): Promise<UserRow | undefined>
  /** Cancelled ones too. */
  byIdEver(id: number): Promise<UserRow | undefined>
  /** By username, else by an e-mail address that belongs to one user only: two columns, searched one after the other. */
  byLoginName(name: string): Promise<UserRow | undefined>
  byAccessTokenHash(hash: string): Promise<UserRow | undefined>
  anyOfRole(role: number): Promise<UserRow | undefined>
  /** Throws what is wrong with a field. Ends every session of the user when the password changes. */
  changeProfile(by: Changer, row: UserRow, change: ProfileChange): Promise<void>
  setAccessTokenHash(by: Changer, row: UserRow, hash: string): Promise<void>
  /** Ends the account, its sessions and its tokens, on all nodes. Throws AppError('root_self_delete_denied'). */
  cancelSelf(by: Changer, row: UserRow): Promise<void>
  /** Stores another hash of the same password, unless the password has changed meanwhile. */
  storeHash(id: number, was: string, hash: string): Promise<void>
  /** Unix seconds. */
  signedIn(id: number, at: number): Promise<void>
  /** A user as its owner sees it. */
  presentOwn(row: UserRow): User
  /** Without secrets, fit for the browser's storage. */
  present(row: UserRow): User
}

const living = (row: UserRow | undefined): UserRow | undefined => (row?.deleted_at === null ? row : undefined)

export const createUserDirectory = (
  parts: UserParts,
  { store, saver }: { store: UserStore; saver: UserSaver },
): UserDirectory => {
  const byEmail = async (email: string): Promise<UserRow | undefined> => {
    const rows = email === '' ? [] : await store.byEmail(email)
    return rows.length === 1 ? rows[0] : undefined
  }

  const profileOf = async ({ username, display_name, password }: ProfileChange) => ({
    ...(username ? { username: checkedUsername(username) } : {}),
    ...(display_name ? { display_name: checkedDisplayName(display_name) } : {}),
    ...(password ? { password: await hashPassword(checkedPassword(password)) } : {}),
  })

  return {
    byId: async (id) => living(await store.byId(id)),
    byIdEver: (id) => store.byId(id),
    byLoginName: async (name) => living(await store.byUsername(name)) ?? (await byEmail(name)),
    byAccessTokenHash: (hash) => store.byAccessTokenHash(hash),
    anyOfRole: (role) => store.anyOfRole(role),
    async changeProfile(by, row, profile) {
      const change = await profileOf(profile)
      await saver.assertFree(row, change.username)
      await saver.save(by, row, { action: 'user.update', change, endSessions: change.password !== undefined })
    },
    setAccessTokenHash: (by, row, hash) =>
      saver.save(by, row, {
        action: 'user.access_token',
        change: { access_token_hash: hash },
        endSessions: false,
      }),
    async cancelSelf(by, row) {
      if (row.role === role.root) throw new AppError('root_self_delete_denied')
      const change = cancelling(unixSeconds(parts.clock))
      await saver.save(by, row, { action: 'user.delete', change, endSessions: true })
    },
    storeHash: (id, was, hash) => store.replaceHash(id, was, hash),
    signedIn: (id, at) => parts.database.transaction((trx) => store.update(trx, id, { last_login_time: at })),
    presentOwn,
    present: presentUser,
  }
}
