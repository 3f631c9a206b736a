import type { Language } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { testMail } from '../../mail/templates.ts'
import type { RegistrationParts } from './ports.ts'
import { emailOf } from './rules.ts'

/**
 * Sends a mail with the saved settings, to the own address unless another is given. Throws AppError('mail_test_failed')
 * with what the SMTP server said: the operator is the one who can do something about it.
 */
export type SendTestMail = (mail: { to: string; userId: number; language: Language }) => Promise<void>

export const createTestMail = ({ users, sendMail, settings }: RegistrationParts): SendTestMail => {
  return async ({ to, userId, language }) => {
    const address = emailOf(to.trim() || ((await users.byId(userId))?.email ?? ''))
    try {
      await sendMail(testMail({ to: address, systemName: settings().SystemName, language }))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'mail_failed')) throw error
      const reason = error.cause instanceof Error ? error.cause.message : ''
      throw new AppError('mail_test_failed', { params: { reason }, cause: error.cause })
    }
  }
}
