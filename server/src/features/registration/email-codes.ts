import { randomBytes } from 'node:crypto'
import { codeMinutes, resendSeconds } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { limitKey } from '../../lib/security/client-address.ts'
import { assertMailConfigured } from '../../mail/mailer.ts'
import { verificationMail } from '../../mail/templates.ts'
import type { CodeName } from '../../verification/one-time-codes.ts'
import type { RegistrationParts, RegistrationVisitor } from './ports.ts'
import { acceptedEmail, assertAnyWay, assertOpen } from './rules.ts'

/** An address with a valid code; `use` takes the code in the transaction of what it was for. */
export interface ProvenEmail {
  readonly address: string
  use(trx: Transaction<Tables>): Promise<void>
}

export interface EmailCodes {
  /**
   * Mails a code. `userId` is who asks, 0 for a visitor. Throws what is wrong with the address, AppError('email_taken' |
   * 'email_too_soon'), what sending throws, and to visitors why registration is closed.
   */
  send(email: string, visitor: RegistrationVisitor & { userId: number }): Promise<void>
  /**
   * Throws AppError('verification_code_wrong') unless this is the code that was sent there for the same person, and
   * AppError('second_factor_throttled') where wrong ones came before: guesses from one address make that address wait for this mail address, longer
   * each time, and everybody only where they come from many.
   */
  prove(proof: { email: string; code: string; userId: number; ip: string }): Promise<ProvenEmail>
}

/** Six characters, as clients of the reference know them. */
const newCode = (): string => randomBytes(3).toString('hex')

/** One name per address, so that the wait between two mails applies to all callers. */
const nameOf = (address: string): CodeName => ({ purpose: 'email', subject: address })

/** A code works only for the user who requested it, so that no user can bind an address for another. */
const ownCode = (userId: number, code: string): string => `${userId}:${code.trim().toLowerCase()}`

/** Codes by mail: valid for 3 minutes, once, for few guesses. */
export const createEmailCodes = ({
  users,
  codes,
  sendMail,
  recipients,
  guesses,
  settings,
  requiredWays,
}: RegistrationParts): EmailCodes => ({
  async send(email, { ip, language, userId }) {
    const values = settings()
    // A useless code would still reveal accounts to strangers, and let them send mail to any address.
    if (userId === 0) assertOpen(values)
    const to = acceptedEmail(email, values)
    if (userId === 0) assertAnyWay(requiredWays.ofAddress, to)
    if (await users.emailTaken(to)) throw new AppError('email_taken')
    assertMailConfigured(values)
    const code = newCode()
    const how = { seconds: codeMinutes * 60, apart: resendSeconds }
    const giveBack = await recipients.take(to, ip)
    const seconds = await codes.put(nameOf(to), ownCode(userId, code), how)
    if (seconds > 0) {
      await giveBack()
      throw new AppError('email_too_soon', { params: { seconds } })
    }
    try {
      await sendMail(verificationMail({ to, systemName: values.SystemName, language }, code, codeMinutes))
    } catch (error) {
      await codes.drop(nameOf(to))
      await giveBack()
      throw error
    }
  },

  async prove({ email, code, userId, ip }) {
    const address = acceptedEmail(email, settings())
    const own = ownCode(userId, code)
    const keys = { account: `mail:${address}`, address: limitKey(ip) }
    await guesses.attempt(keys)
    if (!(await codes.guess(nameOf(address), own))) throw new AppError('verification_code_wrong')
    await guesses.succeeded(keys)
    return {
      address,
      async use(trx) {
        if (!(await codes.use(trx, nameOf(address), own))) throw new AppError('verification_code_wrong')
      },
    }
  },
})
