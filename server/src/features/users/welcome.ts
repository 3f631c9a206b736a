import { logType, role } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import type { MakeUser, NewUser } from './create.ts'
import type { UserParts } from './parts.ts'
import type { UserStore } from './store.ts'

/** Somebody who comes on their own: by a form, or by an account elsewhere. Names and passwords are checked already. */
export interface Newcomer extends Pick<NewUser, 'username' | 'displayName' | 'password' | 'identities' | 'within'> {
  /** The invite code they came with; an unknown or empty one is ignored. */
  readonly affCode: string
}

export interface Welcomer {
  /** Makes a user as an admin asks for, with the quota that new users get where none is given, and notes it in the user's log. */
  made(user: Omit<NewUser, 'quota'> & { readonly quota?: number | undefined }): Promise<number>
  /**
   * Makes an ordinary user who comes on their own, with the gifts for new users and inviters. Answers the id. Throws
   * AppError('username_taken' | 'email_taken' | 'identity_taken') and what `within` throws; then nothing has happened.
   */
  welcome(newcomer: Newcomer): Promise<number>
}

type GiftCode = 'registration_gift' | 'invitee_gift' | 'inviter_gift'

export const createWelcomer = (parts: UserParts, store: UserStore, make: MakeUser): Welcomer => {
  const notify = async (user: Pick<UserRow, 'id' | 'username'>, amount: number, code: GiftCode): Promise<void> => {
    if (amount <= 0) return
    const text = { code, params: { amount } }
    await parts.writeNote({ userId: user.id, username: user.username, type: logType.system, text })
  }

  return {
    async made(user) {
      const { quota = parts.newUserQuota() } = user
      const id = await make({ ...user, quota })
      await notify({ id, username: user.username }, quota, 'registration_gift')
      return id
    },

    async welcome({ affCode, ...newcomer }) {
      const inviter = affCode === '' ? undefined : await store.inviter(affCode)
      const gifts = inviter ? parts.invitationQuotas() : { invitee: 0, inviter: 0 }
      const quota = parts.newUserQuota()
      const id = await make({
        ...newcomer,
        role: role.user,
        quota: quota + gifts.invitee,
        inviter: inviter && { id: inviter.id, earns: gifts.inviter },
      })
      const user = { id, username: newcomer.username }
      await notify(user, quota, 'registration_gift')
      await notify(user, gifts.invitee, 'invitee_gift')
      if (inviter) await notify(inviter, gifts.inviter, 'inviter_gift')
      return id
    },
  }
}
