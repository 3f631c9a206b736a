import type { Language } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { networkAdvice } from '../../lib/security/address-failure.ts'
import { type MailSettings, mailTimeoutMs } from '../../mail/mail.ts'
import { testMail } from '../../mail/templates.ts'
import { createEmailCodes, type EmailCodes } from './email-codes.ts'
import type { RegistrationParts, Self } from './ports.ts'
import { createRegister, type Register } from './register.ts'
import { createPasswordReset, type PasswordReset } from './reset.ts'
import { emailOf } from './rules.ts'

/**
 * Sends a mail with the saved settings, to the own address unless another is given. Throws AppError with what to do about
 * the server's address or login, or with what the SMTP server said: the operator is the one who can do something about it.
 */
type SendTestMail = (mail: { to: string; userId: number; language: Language }) => Promise<void>

/** The SMTP server refused account or password; nodemailer's code. */
const isLoginRefused = (error: Error): boolean => 'code' in error && error.code === 'EAUTH'

/** Why a test mail did not leave: what to do about the server's address or the login, else the server's own words. */
const testMailError = ({ SMTPServer, SMTPPort, SMTPToken }: MailSettings, cause: Error): AppError => {
  const url = `smtp://${SMTPServer.trim()}:${SMTPPort}`
  const reason = cause.message
  if (isLoginRefused(cause)) return new AppError('mail_login_refused', { params: { address: url, reason }, cause })
  const asked = { url, key: SMTPToken, proxy: '', timeoutMs: mailTimeoutMs }
  const advice = URL.canParse(url) ? networkAdvice(asked, cause) : undefined
  return advice ?? new AppError('mail_test_failed', { params: { reason }, cause })
}

const createTestMail = ({ users, sendMail, settings }: RegistrationParts): SendTestMail => {
  return async ({ to, userId, language }) => {
    const address = emailOf(to.trim() || ((await users.byId(userId))?.email ?? ''))
    try {
      await sendMail(testMail({ to: address, systemName: settings().SystemName, language }))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'mail_failed')) throw error
      throw testMailError(settings(), error.cause instanceof Error ? error.cause : error)
    }
  }
}

export interface Registration {
  readonly register: Register
  readonly emailCodes: Pick<EmailCodes, 'send'>
  readonly passwordReset: PasswordReset
  readonly sendTestMail: SendTestMail
  /** Binds an address in place of an earlier one. Throws AppError('verification_code_wrong' | 'email_taken'). */
  bindEmail(self: Self, proof: { email: string; code: string }): Promise<void>
  /** Throws AppError('last_sign_in'). */
  unbindEmail(self: Self): Promise<void>
}

/** Everything that begins or ends with an e-mail address, and registering. */
export const openRegistration = (parts: RegistrationParts): Registration => {
  const { users } = parts
  const emailCodes = createEmailCodes(parts)
  return {
    register: createRegister(parts, emailCodes),
    emailCodes,
    passwordReset: createPasswordReset(parts),
    sendTestMail: createTestMail(parts),
    async bindEmail(self, proof) {
      const email = await emailCodes.prove({ ...proof, userId: self.id, ip: self.ip })
      await users.link(self, { provider: 'email', subject: email.address }, email.use)
    },
    unbindEmail: (self) => users.unlink(self, 'email'),
  }
}
