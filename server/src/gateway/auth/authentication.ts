import { role, tokenStatus, userStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { isAllowedFrom } from '../../lib/security/address-list.ts'
import type { CallFailure } from '../../relay/failure.ts'
import type { SourceVersion } from '../../relay/plan/source-version.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import type { CallerGroups, CallerUser, GatewayPorts, RateAnswer, TokenRecord } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import type { KeyFinder, SentKey } from './key-of.ts'
import { openUnknownKeys } from './unknown-keys.ts'
import { openVerifiedCallers } from './verified-callers.ts'

export interface AuthenticationParts extends GatewayPorts {
  readonly relay: Pick<Relay, 'refuse'>
  readonly keys: KeyFinder
  readonly sources: SourceVersion
}

/** UTF-16 units of a line for the operator. */
const longestPath = 200
const longestCause = 500

/** Checks that every call with a key passes, on any route. */
export interface Authentication {
  /**
   * The caller of the request's key, or of `sent`. Synchronous when the key is cached, as nearly every one is. Logs refused keys. Throws
   * AppError.
   */
  callerOf(context: ArrivedRequest, sent?: SentKey): Caller | Promise<Caller>
  /** The caller of a key that was found without being sent, checked in the same way. Throws AppError. */
  ofToken(context: ArrivedRequest, token: TokenRecord | undefined): Caller
  /** The caller of a signed-in user's calls in a group: the same object for all of them. */
  ofUser(user: CallerUser, group: string): Caller
  /** The caller restricted to one channel; the same object each time. */
  heldTo(caller: Caller, channel: number): Caller
  /** Counts the call against the rate limit; synchronous on a single node. Throws AppError('too_many_requests'). */
  rateLimited(caller: Caller, limits: RelayOptions['rateLimit']): Promise<void> | undefined
  succeeded(caller: Caller, limits: RelayOptions['rateLimit']): void
  /** Logs a refused call with its reason: in the caller's log if the caller is known, or in the operator's. */
  noteRefusal(context: ArrivedRequest, thrown: unknown, failure: CallFailure): Promise<void>
}

const assertFits = (answer: RateAnswer, { minutes, count, successCount }: RelayOptions['rateLimit']): void => {
  if (answer === 'total') throw new AppError('rate_limited_total', { params: { minutes, count } })
  if (answer === 'success') throw new AppError('rate_limited_success', { params: { minutes, count: successCount } })
}

/** Stands for the key of a call that the gateway makes itself, without one in its request. */
const foundKey: SentKey = { key: 'found', channel: undefined }

export const createAuthentication = (parts: AuthenticationParts): Authentication => {
  const unknownKeys = openUnknownKeys()
  const verified = openVerifiedCallers(parts.sources)

  const authenticated = (context: ArrivedRequest, sent: SentKey, token: TokenRecord | undefined): Caller => {
    const { ip, startedAt: now } = context
    const known = token === undefined ? undefined : verified.of(token, ip, now)
    if (known !== undefined && sent.channel === undefined) return known
    try {
      const forced = known && forcedChannelOf(sent, known)
      const caller = known ?? authenticate({ token, sent, ip, now, groups: parts.groups })
      const { forcedChannel = forced } = caller
      const own = caller.forcedChannel === undefined ? caller : { ...caller, forcedChannel: undefined }
      if (known === undefined && token !== undefined) verified.keep(token, own)
      return forcedChannel === undefined ? own : verified.heldTo(own, forcedChannel)
    } catch (error) {
      context.caller = ownerOfRefused(token)
      throw error
    }
  }

  /** Counts a look-up as a guess unless it finds a key. One that fails, for example without the database, is not counted. */
  const lookedUp = async <Found>(
    { ip, startedAt }: ArrivedRequest,
    looking: Promise<Found>,
    isFound: (found: Found) => boolean,
  ): Promise<Found> => {
    unknownKeys.began(ip, startedAt)
    try {
      const found = await looking
      if (isFound(found)) unknownKeys.found(ip)
      return found
    } catch (cause) {
      unknownKeys.found(ip)
      throw new AppError('database_unreachable', { cause })
    }
  }

  /** Path for an address that has guessed too many keys: keys that are cached still work. */
  const authenticatedFromMemory = (context: ArrivedRequest, sent: SentKey): Caller => {
    const found = sent.key === '' ? undefined : parts.callers.byKey(sent.key, false)
    if (found === undefined || found instanceof Promise) throw new AppError('too_many_requests')
    return authenticated(context, sent, found)
  }

  /** A dash separates the channel that an admin forces; keys from other gateways may contain dashes themselves. */
  const callerWithDashes = (context: ArrivedRequest, sent: SentKey, whole: string): Caller | Promise<Caller> => {
    const { ip, startedAt } = context
    const mayLookUp = !unknownKeys.isExhausted(ip, startedAt)
    const part = sent.key === '' ? undefined : parts.callers.byKey(sent.key, mayLookUp)
    const all = parts.callers.byKey(whole, mayLookUp)
    const settle = (byPart: TokenRecord | undefined, byAll: TokenRecord | undefined): Caller => {
      if (byPart !== undefined || byAll === undefined) {
        if (byPart === undefined && !mayLookUp) throw new AppError('too_many_requests')
        return authenticated(context, sent, byPart)
      }
      return authenticated(context, { key: whole, channel: undefined }, byAll)
    }
    if (!(part instanceof Promise) && !(all instanceof Promise)) return settle(part, all)
    const isFound = (found: readonly unknown[]): boolean => found.some((token) => token !== undefined)
    return lookedUp(context, Promise.all([part, all]), isFound).then(([byPart, byAll]) => settle(byPart, byAll))
  }

  return {
    callerOf(context, sentInstead) {
      const { request, path, query } = context
      const sent = sentInstead ?? parts.keys.sentKey(request.headers, path, query)
      if (sent.whole !== undefined) return callerWithDashes(context, sent, sent.whole)
      if (unknownKeys.isExhausted(context.ip, context.startedAt)) return authenticatedFromMemory(context, sent)
      const found = sent.key === '' ? undefined : parts.callers.byKey(sent.key)
      if (!(found instanceof Promise)) return authenticated(context, sent, found)
      const isFound = (token: TokenRecord | undefined): boolean => token !== undefined
      return lookedUp(context, found, isFound).then((token) => authenticated(context, sent, token))
    },

    ofToken: (context, token) => authenticated(context, foundKey, token),
    ofUser: verified.ofUser,
    heldTo: verified.heldTo,

    rateLimited(caller, rateLimit) {
      if (!rateLimit.enabled) return undefined
      const answer = parts.rateLimit.enter(caller.userId, rateLimit)
      if (answer instanceof Promise) return answer.then((late) => assertFits(late, rateLimit))
      assertFits(answer, rateLimit)
      return undefined
    },

    succeeded(caller, rateLimit) {
      if (rateLimit.enabled) parts.rateLimit.succeeded(caller.userId, rateLimit)
    },

    async noteRefusal(context, thrown, failure) {
      const { caller, id, ip, path } = context
      if (caller !== undefined) await parts.relay.refuse({ ...context, caller }, failure)
      const isExpected = thrown instanceof AppError
      if (caller !== undefined && isExpected) return
      const code = isExpected ? thrown.code : 'internal_error'
      const unexpected = isExpected ? {} : { error: thrown }
      parts.log('relay_call_refused', {
        request_id: id,
        ip,
        path: shortText(path, longestPath),
        code,
        cause: shortText(failure.cause, longestCause),
        ...unexpected,
      })
    },
  }
}

export interface KeyCheck {
  /** undefined when the key does not exist. */
  readonly token: TokenRecord | undefined
  readonly sent: SentKey
  readonly ip: string
  /** Milliseconds. */
  readonly now: number
  readonly groups: CallerGroups
}

const checkStatus = (token: TokenRecord, now: number): void => {
  const { status, keyHint: hint, expiredTime, unlimited, remainQuota: remain } = token
  if (status === tokenStatus.exhausted) throw new AppError('token_exhausted', { params: { hint } })
  if (status === tokenStatus.expired) throw new AppError('token_expired')
  if (status !== tokenStatus.enabled) throw new AppError('token_disabled')
  if (expiredTime !== -1 && expiredTime * 1000 < now) throw new AppError('token_expired')
  if (!unlimited && remain <= 0) throw new AppError('token_spent', { params: { hint, remain } })
}

/** The keys of a deleted user are invalid; a status of 500 would make clients try them again. */
const ownerOf = ({ user, tokenId }: TokenRecord): CallerUser => {
  if (user === undefined)
    throw new AppError('token_invalid', { details: { reason: 'the token has no owner', tokenId } })
  if (user.status !== userStatus.enabled) throw new AppError('user_banned')
  return user
}

const forcedChannelOf = ({ channel }: SentKey, user: Pick<CallerUser, 'role'>): number | undefined => {
  if (channel === undefined || channel === '') return undefined
  if (user.role < role.admin) throw new AppError('token_channel_denied')
  if (!/^\d{1,15}$/.test(channel)) throw new AppError('forced_channel_invalid')
  return Number(channel)
}

const groupOf = (token: TokenRecord, user: CallerUser, groups: CallerGroups): string => {
  const { group } = token
  if (group === '') return user.group
  if (!Object.hasOwn(groups.usable(user.group), group))
    throw new AppError('token_group_disabled', { params: { group } })
  if (!groups.hasRatio(group)) throw new AppError('group_deprecated', { params: { group } })
  return group
}

/** Checks a key: status, expiry, quota, then the user. Throws AppError. */
export const authenticate = ({ token, sent, ip, now, groups }: KeyCheck): Caller => {
  if (sent.key === '') throw new AppError('token_missing')
  if (token === undefined) throw new AppError('token_invalid')
  checkStatus(token, now)
  const user = ownerOf(token)
  const forcedChannel = forcedChannelOf(sent, user)
  if (!isAllowedFrom(token, ip)) {
    throw new AppError('ip_not_allowed', { details: { ip } })
  }
  const caller = callerFrom(token, user, groupOf(token, user, groups), forcedChannel)
  const { project, capsAt, tags, includeCost, deadlineOnly } = token
  if (project === undefined && tags === undefined && includeCost === undefined && deadlineOnly === undefined)
    return caller
  return {
    ...caller,
    ...(project && { project }),
    ...(tags && { tags }),
    ...(includeCost && { includeCost }),
    ...(deadlineOnly && { deadlineOnly }),
    ...(project === undefined || capsAt === undefined ? {} : { caps: capsAt(now) }),
  }
}

const callerFrom = (
  token: TokenRecord,
  user: CallerUser,
  group: string,
  forcedChannel: number | undefined,
): Caller => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  userGroup: user.group,
  acceptsUnpricedModels: user.acceptsUnpricedModels,
  tokenId: token.tokenId,
  tokenName: token.tokenName,
  keyHint: token.keyHint,
  tokenUnlimited: token.unlimited,
  group,
  modelLimits: token.modelLimits,
  forcedChannel,
})

/** The owner of a refused key, for the record; undefined when it has none. */
const ownerOfRefused = (token: TokenRecord | undefined): Caller | undefined =>
  token?.user && callerFrom(token, token.user, token.group || token.user.group, undefined)
