import { type acceptUserInvitation, type BodyOf, userStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { CodeName } from '../../verification/one-time-codes.ts'
import { ssoRequired } from '../../verification/required-way.ts'
import { checkedPassword } from './fields.ts'
import type { NewUserParts } from './parts.ts'

/** Name of the code behind the link of an invited user. */
export const codeNameOf = (userId: number): CodeName => ({ purpose: 'invitation', subject: String(userId) })

/**
 * Sets the first password of an invited user. A link is worth nothing once the account has a password or was
 * used to sign in. Throws AppError('invitation_invalid' | 'sso_required') and what is wrong with the password.
 */
export type AcceptInvitation = (
  body: BodyOf<typeof acceptUserInvitation>,
  visitor: { readonly ip: string },
) => Promise<void>

export const createInvitationAcceptor = ({ users, codes, requiredWays }: NewUserParts): AcceptInvitation => {
  const invalid = (): AppError => new AppError('invitation_invalid')
  return async ({ id, secret, password }, { ip }) => {
    // Before any work that takes longer for existing accounts.
    if (!(await codes.matches(codeNameOf(id), secret))) throw invalid()
    const user = await users.directory.byId(id)
    const isFresh = user?.status === userStatus.enabled && user.password === '' && user.last_login_time === 0
    if (!isFresh) throw invalid()
    const required = await requiredWays.ofAccount(user)
    if (required !== undefined) throw ssoRequired(required)
    await users.resetPassword({
      userId: id,
      password: checkedPassword(password),
      ip,
      async within(trx) {
        if (!(await codes.use(trx, codeNameOf(id), secret))) throw invalid()
      },
    })
  }
}
