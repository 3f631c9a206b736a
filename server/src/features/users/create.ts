import { logType, userStatus } from '@tollgate/contract'
import { isUniqueViolation } from '../../db/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import { hashPassword } from '../../lib/password.ts'
import type { UserParts } from './parts.ts'
import type { NewUserRow, UserStore } from './store.ts'

export interface NewUser {
  readonly username: string
  readonly password: string
  readonly displayName: string
  readonly role: number
  /** Quota units of the opening entry in the ledger. */
  readonly quota: number
  /** Who made the user; absent for a user made by the server itself. */
  readonly by?: { readonly id: number; readonly username: string; readonly ip: string }
}

const affCodeLength = 4

/** Four characters, as invitations know them; a code that is taken is drawn again, one longer each time. */
const newAffCode = async (store: UserStore): Promise<string> => {
  for (let length = affCodeLength; ; length += 1) {
    const code = randomAlphanumerics(length)
    if (!(await store.affCodeExists(code))) return code
  }
}

const rowOf = (user: NewUser, made: { password: string; affCode: string; now: number }): NewUserRow => ({
  username: user.username,
  password: made.password,
  display_name: user.displayName,
  role: user.role,
  status: userStatus.enabled,
  email: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  access_token_hash: null,
  group: 'default',
  aff_code: made.affCode,
  aff_count: 0,
  inviter_id: 0,
  deleted_at: null,
  setting: '',
  created_time: made.now,
  last_login_time: 0,
})

/** Makes users; names and passwords are checked already. */
export const createUserMaker = (parts: UserParts, store: UserStore): ((user: NewUser) => Promise<number>) => {
  const insert = (user: NewUser, row: NewUserRow): Promise<number> =>
    parts.database.transaction(async (trx) => {
      const id = await store.insert(trx, row)
      await parts.ledger.open(trx, 'user', id, user.quota)
      if (user.by) {
        const { ip, ...actor } = user.by
        const after = { username: user.username, display_name: user.displayName, role: user.role, quota: user.quota }
        await parts.audit.record({ actor, action: 'user.create', object: 'user', objectId: id, after, ip }, trx)
      }
      return id
    })

  /** The row and its opening entry appear together. Throws AppError('username_taken'). */
  return async (user) => {
    const made = {
      password: await hashPassword(user.password),
      affCode: await newAffCode(store),
      now: unixSeconds(parts.clock),
    }
    return insert(user, rowOf(user, made)).catch((cause: unknown) => {
      throw isUniqueViolation(cause) ? new AppError('username_taken', { cause }) : cause
    })
  }
}

/** Makes a user with the quota that new users get, and tells them so (server reference §8.1). */
export const createWelcomer = (parts: UserParts, make: (user: NewUser) => Promise<number>) => {
  return async (user: Omit<NewUser, 'quota'>): Promise<number> => {
    const quota = parts.newUserQuota()
    const id = await make({ ...user, quota })
    if (quota > 0) {
      const content = `新用户注册赠送 ${parts.amountText(quota)}`
      await parts.writeNote({ userId: id, username: user.username, type: logType.system, content })
    }
    return id
  }
}
