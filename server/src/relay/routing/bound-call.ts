import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { RelayCall } from '../call.ts'
import type { Channels } from '../ports.ts'
import { scopeOf } from '../reader.ts'
import type { AnsweredSessions } from '../sessions/answered-sessions.ts'
import type { StoredResponses } from './stored-responses.ts'

export interface BoundCallParts {
  readonly channels: Pick<Channels, 'snapshot'>
  /** Absent where nothing is remembered. */
  readonly storedResponses?: StoredResponses
  /** Absent where nothing is remembered. */
  readonly answeredSessions?: AnsweredSessions
}

/** Refuses a call that names a stored item of another owner, which its provider would show to its caller. Throws AppError('object_not_found'). */
const checkItems = async ({ dialect, body, caller }: RelayCall, stored: StoredResponses): Promise<void> => {
  const names = dialect?.storedResponses?.namedItems?.(body) ?? []
  for (const name of names)
    if ((await stored.find(name, caller)) === 'hidden')
      throw new AppError('object_not_found', { params: { id: shortText(name) } })
}

/** Binds a call that continues a stored response to the channel and the account that stored it, and to its session. */
export const boundCall = async (unbound: RelayCall, parts: BoundCallParts): Promise<RelayCall> => {
  const { storedResponses, channels, answeredSessions } = parts
  if (storedResponses === undefined) return unbound
  await checkItems(unbound, storedResponses)
  const id = unbound.dialect?.storedResponses?.continuedFrom(unbound.body)
  if (id === undefined) return unbound
  const { caller } = unbound
  const known = unbound.session?.named === true ? undefined : answeredSessions?.find(id, scopeOf(caller))
  const call = known === undefined ? unbound : { ...unbound, session: known }
  const stored = await storedResponses.find(id, caller)
  const { unknown } = unbound.dialect?.storedResponses ?? {}
  // Its provider has it and would continue it.
  if (stored === 'hidden')
    throw new AppError(unknown ?? 'previous_response_not_found', { params: { id, name: shortText(id) } })
  if (stored === undefined) {
    if (unknown !== undefined) throw new AppError(unknown, { params: { name: shortText(id) } })
    return call
  }
  const channel = channels.snapshot().byId(stored.channelId)
  // Other keys of the channel may belong to other accounts, which do not know the response.
  const key = channel?.keys.find((candidate) => storedResponses.keyHashOf(candidate) === stored.keyHash)
  return { ...call, place: { channel, key } }
}
