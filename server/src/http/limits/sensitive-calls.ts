import type { Endpoint } from '@tollgate/contract'
import type { RateLimiter, RateRule } from './rate-limit.ts'

type SensitiveKind = NonNullable<Endpoint['critical']>

const per20Minutes = (count: number): RateRule => ({ enabled: true, count, seconds: 1200 })

// Many people share an address (an office, a mobile network). What one of them does must not keep out the others, so these
// are the numbers of a crowd; an account, a code and a recipient of mails each have a far lower limit of their own.
const limits: Readonly<Record<SensitiveKind, RateRule>> = {
  proof: per20Minutes(200),
  begin: per20Minutes(200),
  mail: per20Minutes(60),
  register: per20Minutes(30),
}

/** Reports the outcome of a counted call. */
export type CallEnded = (succeeded: boolean) => Promise<void>

/** Limits calls that guess, send mails or make accounts ("CT"). */
export interface SensitiveCalls {
  /**
   * Counts one call, or answers undefined when its kind has reached its limit. `address` is a `limitKey`. A caller with a
   * session or access token counts alone, whatever others do at the same address; new accounts always count per address.
   */
  take(kind: SensitiveKind, by: { address: string; userId: number | undefined }): Promise<CallEnded | undefined>
}

/** `proof` keeps only its failures; `register` keeps a new account as such and a failure as a failed proof. */
export const createSensitiveCalls = (limiter: RateLimiter): SensitiveCalls => {
  const countedAs = (kind: SensitiveKind): readonly SensitiveKind[] => (kind === 'register' ? ['proof', kind] : [kind])

  return {
    async take(kind, { address, userId }) {
      const subject = userId === undefined || kind === 'register' ? address : `user:${userId}`
      const taken: string[] = []
      for (const each of countedAs(kind)) {
        const key = `CT:${each}:${subject}`
        if (!(await limiter.take(key, limits[each]))) {
          for (const earlier of taken) await limiter.giveBack(earlier)
          return undefined
        }
        taken.push(key)
      }
      return async (succeeded) => {
        if (succeeded && kind !== 'begin' && kind !== 'mail') await limiter.giveBack(`CT:proof:${subject}`)
        if (!succeeded && kind === 'register') await limiter.giveBack(`CT:register:${subject}`)
      }
    },
  }
}
