import { type BodyOf, resendSeconds, resetMinutes, type resetPassword, userStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import { assertMailConfigured } from '../../mail/mailer.ts'
import { resetMail } from '../../mail/templates.ts'
import type { CodeName } from '../../verification/one-time-codes.ts'
import { ssoForMembers, ssoRequired } from '../../verification/required-way.ts'
import type { RegistrationParts, RegistrationVisitor } from './ports.ts'
import { emailOf } from './rules.ts'

export interface PasswordReset {
  /**
   * Mails a link, if a user has the address. Neither the answer nor its time reveals it: the same is stored for every
   * address, and the rest happens afterwards. Throws AppError('email_too_soon' | 'sso_required' | 'sso_or_reset_mail') for every
   * address of a domain alike: where a provider is required, only those get the mail whom it does not bind.
   */
  request(email: string, visitor: RegistrationVisitor): Promise<void>
  /** Answers the password that was made, empty when one was chosen. Throws AppError('reset_link_invalid'). */
  finish(body: BodyOf<typeof resetPassword>, visitor: { readonly ip: string }): Promise<string>
  /** Resolves when no mail is on its way. */
  settled(): Promise<void>
}

const tokenLength = 43
const madePasswordLength = 16

const nameOf = (address: string): CodeName => ({ purpose: 'reset', subject: address })

/** A new password by mail: the token counts once and is stored as a hash. */
export const createPasswordReset = (parts: RegistrationParts): PasswordReset => {
  const { users, codes, recipients, settings, log } = parts
  const underway = new Set<Promise<void>>()

  // Never the Host header: its sender would choose where the token goes.
  const linkOf = (email: string, token: string): string => {
    const query = new URLSearchParams({ email, token })
    return `${settings().ServerAddress || parts.localAddress}/user/reset?${query}`
  }

  const mailTo = async (to: string, token: string, { language }: RegistrationVisitor): Promise<void> => {
    const owner = await users.emailOwner(to)
    if (owner?.status !== userStatus.enabled || (await parts.requiredWays.ofAccount(owner))) return
    const reader = { to, systemName: settings().SystemName, language }
    await parts.sendMail(resetMail(reader, linkOf(to, token), resetMinutes))
  }

  const afterwards = (work: Promise<void>): void => {
    const done = work
      .catch((error: unknown) => log.error('reset_mail_not_sent', { error }))
      .finally(() => underway.delete(done))
    underway.add(done)
  }

  return {
    async request(email, visitor) {
      const address = emailOf(email)
      assertMailConfigured(settings())
      const token = randomAlphanumerics(tokenLength)
      const how = { seconds: resetMinutes * 60, apart: resendSeconds }
      // Counted for every address alike, so that the answer does not tell whose it is.
      const giveBack = await recipients.take(address, visitor.ip)
      const seconds = await codes.put(nameOf(address), token, how)
      if (seconds > 0) {
        await giveBack()
        throw new AppError('email_too_soon', { params: { seconds } })
      }
      afterwards(mailTo(address, token, visitor))
      const required = parts.requiredWays.ofAddress(address)
      if (required === undefined) return
      throw required.organisationId === 0 ? ssoRequired(required) : ssoForMembers('sso_or_reset_mail', required)
    },

    async finish({ email, token, password: chosen }, { ip }) {
      if (token === '') throw new AppError('invalid_parameter')
      const address = emailOf(email)
      const invalid = (): AppError => new AppError('reset_link_invalid')
      // Before any work that takes longer for existing addresses.
      if (!(await codes.matches(nameOf(address), token))) throw invalid()
      const owner = await users.emailOwner(address)
      if (owner === undefined) throw invalid()
      const required = await parts.requiredWays.ofAccount(owner)
      if (required !== undefined) throw ssoRequired(required)
      const password = chosen ?? randomAlphanumerics(madePasswordLength)
      await users.resetPassword({
        userId: owner.id,
        password,
        ip,
        async within(trx) {
          if (!(await codes.use(trx, nameOf(address), token))) throw invalid()
        },
      })
      log.info('password_reset', { user_id: owner.id, ip })
      return chosen === undefined ? password : ''
    },

    async settled() {
      await Promise.all(underway)
    },
  }
}
