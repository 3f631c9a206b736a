import { type BoundedCache, createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { isAllowedFrom } from '../../lib/security/address-list.ts'
import type { SourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller } from '../../relay/ports.ts'
import type { CallerUser, TokenRecord } from '../ports.ts'

/** Callers whose key has passed its checks: the same object for every call of a key or a user, until its record or an option changes. */
export interface VerifiedCallers {
  /** The caller of a key that is still valid at `now` (milliseconds since 1970); undefined where it has to be checked again. */
  of(token: TokenRecord, ip: string, now: number): Caller | undefined
  /** Caches the caller of a valid key, without a forced channel. */
  keep(token: TokenRecord, caller: Caller): void
  /** The caller restricted to one channel. */
  heldTo(caller: Caller, channel: number): Caller
  /** The caller of a signed-in user's calls in a group, without a key. */
  ofUser(user: CallerUser, group: string): Caller
}

interface CachedCaller {
  readonly version: number
  readonly caller: Caller
  /** Milliseconds since 1970 after which the key has expired. */
  readonly ends: number
  readonly fromAnywhere: boolean
}

/** Most channels to which one key is restricted, and most users of the playground, each in a group. */
const mostChannels = 64
const mostUsers = 1000

/** The playground's caller: a browser session without a token. */
export const playgroundCaller = (user: CallerUser, group: string): Caller => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  userGroup: user.group,
  acceptsUnpricedModels: user.acceptsUnpricedModels,
  tokenId: 0,
  tokenName: `playground-${group}`,
  tokenUnlimited: true,
  group,
  modelLimits: undefined,
  forcedChannel: undefined,
})

const isOf = ({ username, role, userGroup, acceptsUnpricedModels }: Caller, user: CallerUser): boolean =>
  username === user.username &&
  role === user.role &&
  userGroup === user.group &&
  acceptsUnpricedModels === user.acceptsUnpricedModels

/** Spending caps have other accounts when a day or a month begins. */
const hasSameCaps = ({ capsAt }: TokenRecord, { caps }: Caller, now: number): boolean =>
  caps === undefined || capsAt?.(now).every(({ id }, index) => id === caps[index]?.id) === true

export const openVerifiedCallers = (sources: SourceVersion): VerifiedCallers => {
  const callers = new WeakMap<TokenRecord, CachedCaller>()
  const held = new WeakMap<Caller, BoundedCache<number, Caller>>()
  const users = createBoundedCache<string, Caller>({ entries: mostUsers })

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
    heldTo(caller, channel) {
      const ofCaller = held.get(caller) ?? createBoundedCache<number, Caller>({ entries: mostChannels })
      held.set(caller, ofCaller)
      const known = ofCaller.get(channel)
      if (known !== undefined) return known
      const one = { ...caller, forcedChannel: channel }
      ofCaller.set(channel, one)
      return one
    },
    ofUser(user, group) {
      const name = `${user.id} ${group}`
      const known = users.get(name)
      if (known !== undefined && isOf(known, user)) return known
      const caller = playgroundCaller(user, group)
      users.set(name, caller)
      return caller
    },
  }
}
