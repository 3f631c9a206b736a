import { createHash } from 'node:crypto'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { limitKey } from '../../lib/security/client-address.ts'

const windowSeconds = 1200
const mailsPerWindow = 5
/** Of one requester: whoever asks for mails to somebody else leaves some to the owner. */
const requestsPerWindow = 3

/** Limits the mails to one recipient, across all callers and addresses. */
export interface RecipientLimit {
  /**
   * Counts a mail to an address in lower case that somebody at an IP address asked for, and answers what takes the count back when none was
   * sent. Throws AppError('email_too_soon') past five in 20 minutes, or past three from one requester.
   */
  take(email: string, ip: string): Promise<() => Promise<void>>
}

/** Fixed windows, so that a refusal can state when the next mail is allowed. */
export const createRecipientLimit = (parts: { limiter: RateLimiter; clock: Clock }): RecipientLimit => ({
  async take(email, ip) {
    const now = parts.clock() / 1000
    const window = Math.floor(now / windowSeconds)
    // Strangers type the addresses: the shared counters hold none of them.
    const recipient = createHash('sha256').update(email).digest('base64url').slice(0, 22)
    const taken: string[] = []
    const giveBack = async (): Promise<void> => {
      for (const key of taken) await parts.limiter.giveBack(key)
    }
    for (const [key, count] of [
      [`mail:${window}:${recipient}:${limitKey(ip)}`, requestsPerWindow],
      [`mail:${window}:${recipient}`, mailsPerWindow],
    ] as const) {
      if (await parts.limiter.take(key, { enabled: true, count, seconds: windowSeconds })) {
        taken.push(key)
        continue
      }
      await giveBack()
      const seconds = Math.max(1, Math.ceil((window + 1) * windowSeconds - now))
      throw new AppError('email_too_soon', { params: { seconds } })
    }
    return giveBack
  },
})
