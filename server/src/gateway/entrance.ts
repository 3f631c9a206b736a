import { AppError } from '../lib/app-error.ts'
import { shortText } from '../lib/bounded-text.ts'
import type { CallFailure } from '../relay/failure.ts'
import type { Caller, RelayOptions } from '../relay/ports.ts'
import type { Relay } from '../relay/relay.ts'
import { authenticate, ownerOfRefused } from './auth/authenticate.ts'
import { type SentKey, sentKeyOf } from './auth/key-of.ts'
import { openUnknownKeys } from './auth/unknown-keys.ts'
import type { DoorParts, RateAnswer, TokenRecord } from './ports.ts'
import type { Visit } from './visit.ts'

export interface EntranceParts extends DoorParts {
  readonly relay: Pick<Relay, 'refuse'>
}

/** UTF-16 units of a line for the operator. */
const longestPath = 200
const longestCause = 500

type Visitor = Omit<Visit, 'client' | 'route'>

/** What every call with a key goes through, whatever it asks for. */
export interface Entrance {
  /** Whose key it is; at once when it is known, as nearly every key is. Notes whose key is refused. Throws AppError. */
  callerOf(visit: Visitor): Caller | Promise<Caller>
  /** Counts the call; at once where one node counts. Throws AppError where there are too many. */
  rateLimited(caller: Caller, limits: RelayOptions['rateLimit']): Promise<void> | undefined
  succeeded(caller: Caller, limits: RelayOptions['rateLimit']): void
  /** Writes down that a call was refused, and why: in its caller's log, or in the operator's. */
  noteRefusal(visit: Visitor, thrown: unknown, failure: CallFailure): Promise<void>
}

const mustFit = (answer: RateAnswer, { minutes, count, successCount }: RelayOptions['rateLimit']): void => {
  if (answer === 'total') throw new AppError('rate_limited_total', { params: { minutes, count } })
  if (answer === 'success') throw new AppError('rate_limited_success', { params: { minutes, count: successCount } })
}

export const createEntrance = (parts: EntranceParts): Entrance => {
  const unknownKeys = openUnknownKeys()

  const entered = (visit: Visitor, sent: SentKey, token: TokenRecord | undefined): Caller => {
    try {
      return authenticate({ token, sent, ip: visit.ip, now: visit.startedAt, groups: parts.groups })
    } catch (error) {
      visit.caller = ownerOfRefused(token)
      throw error
    }
  }

  /** For an address that guesses keys: those who use a key that is in memory pass all the same. */
  const enteredFromMemory = (visit: Visitor, sent: SentKey): Caller => {
    const found = sent.key === '' ? undefined : parts.callers.byKey(sent.key, false)
    if (found === undefined || found instanceof Promise) throw new AppError('too_many_requests')
    return entered(visit, sent, found)
  }

  return {
    callerOf(visit) {
      const { request, path, query } = visit
      const sent = sentKeyOf(request.headers, path, query)
      if (unknownKeys.isExhausted(visit.ip, visit.startedAt)) return enteredFromMemory(visit, sent)
      const found = sent.key === '' ? undefined : parts.callers.byKey(sent.key)
      if (!(found instanceof Promise)) return entered(visit, sent, found)
      unknownKeys.began(visit.ip, visit.startedAt)
      return found.then((token) => {
        if (token !== undefined) unknownKeys.found(visit.ip)
        return entered(visit, sent, token)
      })
    },

    rateLimited(caller, rateLimit) {
      if (!rateLimit.enabled) return undefined
      const answer = parts.rateLimit.enter(caller.userId, rateLimit)
      if (answer instanceof Promise) return answer.then((late) => mustFit(late, rateLimit))
      mustFit(answer, rateLimit)
      return undefined
    },

    succeeded(caller, rateLimit) {
      if (rateLimit.enabled) parts.rateLimit.succeeded(caller.userId, rateLimit)
    },

    async noteRefusal(visit, thrown, failure) {
      const { caller, id, ip, path } = visit
      if (caller !== undefined) await parts.relay.refuse({ ...visit, caller }, failure)
      const isExpected = thrown instanceof AppError
      if (caller !== undefined && isExpected) return
      const code = isExpected ? thrown.code : 'internal_error'
      const unexpected = isExpected ? {} : { error: thrown }
      parts.log('relay_call_refused', {
        ...{ request_id: id, ip, path: shortText(path, longestPath), code },
        ...{ cause: shortText(failure.cause, longestCause), ...unexpected },
      })
    },
  }
}
