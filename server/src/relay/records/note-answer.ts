import type { RelayCall } from '../call.ts'
import type { ProviderAnswer } from '../exchange/exchange.ts'
import { scopeOf } from '../reader.ts'
import type { StoredResponses } from '../routing/stored-responses.ts'
import type { AnsweredSessions } from '../sessions/answered-sessions.ts'
import type { SealPlaces } from '../sessions/sealed/seal-places.ts'
import { placeOfKey } from '../sessions/sealed/sealed-reasoning.ts'
import type { AttemptLog } from './attempt-log.ts'

/** Notes the account that made an answer's encrypted reasoning, which the client returns with its next call. */
export const noteSeals = (
  seals: readonly string[],
  { channel, key }: Pick<AttemptLog, 'channel' | 'key'>,
  places: SealPlaces | undefined,
): void => {
  if (seals.length > 0 && channel !== undefined) places?.note(seals, placeOfKey(channel, key))
}

interface StoredAnswers {
  readonly storedResponses: StoredResponses
  readonly answeredSessions?: AnsweredSessions | undefined
}

/** Notes the channel of a response that the provider stores, and its session, for later calls that continue it. */
export const noteStored = (
  answer: ProviderAnswer,
  { caller, session }: Pick<RelayCall, 'caller' | 'session'>,
  attemptLog: AttemptLog,
  { storedResponses, answeredSessions }: StoredAnswers,
): void => {
  const id = answer.answerId()
  if (id === undefined) return
  storedResponses.note(id, caller, attemptLog)
  for (const itemId of answer.itemIds?.() ?? []) storedResponses.note(itemId, caller, attemptLog)
  if (session !== undefined) answeredSessions?.note(id, scopeOf(caller), session)
}
