import { createHash } from 'node:crypto'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'

const windowSeconds = 1200
const mailsPerWindow = 5

/** Limits the mails to one recipient, across all callers and addresses. */
export interface RecipientLimit {
  /**
   * Counts a mail to an address in lower case, and answers what takes the count back when none was sent.
   * Throws AppError('email_too_soon') past five in 20 minutes.
   */
  take(email: string): Promise<() => Promise<void>>
}

/** Fixed windows, so that a refusal can state when the next mail is allowed. */
export const createRecipientLimit = (parts: { limiter: RateLimiter; clock: Clock }): RecipientLimit => ({
  async take(email) {
    const now = parts.clock() / 1000
    const window = Math.floor(now / windowSeconds)
    // Strangers type the addresses: the shared counters hold none of them.
    const recipient = createHash('sha256').update(email).digest('base64url').slice(0, 22)
    const key = `mail:${window}:${recipient}`
    if (!(await parts.limiter.take(key, { enabled: true, count: mailsPerWindow, seconds: windowSeconds }))) {
      const seconds = Math.max(1, Math.ceil((window + 1) * windowSeconds - now))
      throw new AppError('email_too_soon', { params: { seconds } })
    }
    return async () => parts.limiter.giveBack(key)
  },
})
