import type { SourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller } from '../../relay/ports.ts'
import type { TokenRecord } from '../ports.ts'
import { isAllowedFrom } from './allowed-addresses.ts'

/** Callers of keys that were found good: the same object for every call of a key, until its record or an option changes. */
export interface StandingCallers {
  /** The caller of a key that is still good at this moment (milliseconds since 1970); undefined where it has to be judged anew. */
  of(token: TokenRecord, ip: string, now: number): Caller | undefined
  /** Keeps the caller of a key that was judged good, without a forced channel. */
  keep(token: TokenRecord, caller: Caller): void
}

interface Standing {
  readonly version: number
  readonly caller: Caller
  /** Milliseconds since 1970 after which the key has expired. */
  readonly ends: number
  readonly fromAnywhere: boolean
}

/** Spending caps have other accounts when a day or a month begins. */
const hasSameCaps = ({ capsAt }: TokenRecord, { caps }: Caller, now: number): boolean =>
  caps === undefined || capsAt?.(now).every(({ id }, index) => id === caps[index]?.id) === true

export const openStandingCallers = (sources: SourceVersion): StandingCallers => {
  const callers = new WeakMap<TokenRecord, Standing>()

  return {
    of(token, ip, now) {
      const known = callers.get(token)
      if (known === undefined || known.version !== sources.now || now > known.ends) return undefined
      if (!known.fromAnywhere && !isAllowedFrom(token, ip)) return undefined
      const { caller } = known
      return caller.caps === undefined || hasSameCaps(token, caller, now) ? caller : undefined
    },
    keep(token, caller) {
      const { expiredTime, allowIps } = token
      const ends = expiredTime === -1 ? Number.POSITIVE_INFINITY : expiredTime * 1000
      callers.set(token, { version: sources.now, caller, ends, fromAnywhere: allowIps.trim() === '' })
    },
  }
}
