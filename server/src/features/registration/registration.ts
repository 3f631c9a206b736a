import { createEmailCodes, type EmailCodes } from './email-codes.ts'
import type { RegistrationParts, Self } from './ports.ts'
import { createRegister, type Register } from './register.ts'
import { createPasswordReset, type PasswordReset } from './reset.ts'
import { createTestMail, type SendTestMail } from './test-mail.ts'

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
