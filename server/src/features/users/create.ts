import { userStatus } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import { hashPassword } from '../../lib/security/password.ts'
import type { Identity } from '../../verification/identities.ts'
import type { UserParts } from './parts.ts'
import type { NewUserRow, UserStore } from './store.ts'

export interface NewUser {
  readonly username: string
  /** Absent for third-party sign-in: such an account has no password. */
  readonly password?: string | undefined
  readonly displayName: string
  readonly role: number
  /** `default` where it is left out. */
  readonly group?: string | undefined
  /** Quota units of the opening entry in the ledger. */
  readonly quota: number
  /** Maker of the user; absent for a user made by the server itself. */
  readonly by?: { readonly id: number; readonly username: string; readonly ip: string }
  readonly identities?: readonly Identity[]
  /** Inviter and the reward in quota units. */
  readonly inviter?: { readonly id: number; readonly earns: number } | undefined
  /** Runs first in the transaction that makes the user, e.g. to use a code up; throws to refuse. */
  readonly within?: ((trx: Transaction<Tables>) => Promise<void>) | undefined
  /** Runs last in that transaction, e.g. to make the user a member of something; throws to refuse. */
  readonly joined?: ((trx: Transaction<Tables>, id: number) => Promise<void>) | undefined
}

/** Answers the id. Throws AppError('username_taken' | 'email_taken' | 'identity_taken') and what `within` throws. */
export type MakeUser = (user: NewUser) => Promise<number>

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
  group: user.group ?? 'default',
  aff_code: made.affCode,
  aff_count: 0,
  inviter_id: user.inviter?.id ?? 0,
  deleted_at: null,
  setting: '',
  created_time: made.now,
  last_login_time: 0,
})

/** The error for an identity that belongs to another user. */
export const taken = ({ provider }: Pick<Identity, 'provider'>): AppError =>
  new AppError(provider === 'email' ? 'email_taken' : 'identity_taken')

/** Makes users; names and passwords are checked already. */
export const createUserMaker = (parts: UserParts, store: UserStore): MakeUser => {
  const reward = async (trx: Transaction<Tables>, id: number, inviter: NonNullable<NewUser['inviter']>) => {
    await store.countInvitation(trx, inviter.id)
    const earning = { userId: inviter.id, amount: inviter.earns, detail: { invited: id } }
    await parts.ledger.earn(trx, { movement: `invitation:${id}`, ...earning })
  }

  const record = async (trx: Transaction<Tables>, id: number, user: NewUser): Promise<void> => {
    if (user.by === undefined) return
    const { ip, ...actor } = user.by
    const email = user.identities?.find(({ provider }) => provider === 'email')
    const after = {
      username: user.username,
      display_name: user.displayName,
      role: user.role,
      quota: user.quota,
      ...(user.group && { group: user.group }),
      ...(email && { email: email.subject }),
    }
    await parts.audit.record({ actor, action: 'user.create', object: 'user', objectId: id, after, ip }, trx)
  }

  const insert = (user: NewUser, row: NewUserRow): Promise<number> =>
    parts.database.transaction(async (trx) => {
      await user.within?.(trx)
      const id = await store.insert(trx, row)
      for (const identity of user.identities ?? []) {
        if (!(await parts.identities.bind(trx, id, identity))) throw taken(identity)
      }
      await parts.ledger.open(trx, { account: 'user', id }, user.quota)
      if (user.inviter) await reward(trx, id, user.inviter)
      await record(trx, id, user)
      await user.joined?.(trx, id)
      return id
    })

  /** The row, its identities and its balance appear together. */
  return async (user) => {
    const made = {
      password: user.password === undefined ? '' : await hashPassword(user.password),
      affCode: await newAffCode(store),
      now: unixSeconds(parts.clock),
    }
    return insert(user, rowOf(user, made)).catch((cause: unknown) => {
      throw isUniqueViolation(cause) ? new AppError('username_taken', { cause }) : cause
    })
  }
}
