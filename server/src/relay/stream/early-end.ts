import type { AnswerEnd, Ended, StreamForwarder } from '../exchange/exchange.ts'
import type { CallFailure } from '../failure.ts'
import type { Ending } from '../realtime/session.ts'
import type { SessionMeter } from '../realtime/session-protocol.ts'

/** Why a stream ends before its upstream has ended it. A client that leaves, and a blocked word, are other stories. */
export type EarlyEnd = Extract<AnswerEnd, 'upstream_broke' | 'out_of_quota' | 'closed'>

/**
 * Decides what the client gets of a stream that ends early, and with that what the stream costs. An answer whose content has come
 * whole is delivered and charged, whatever became of the connection after it. An answer of which the client has had nothing is
 * withheld and costs nothing: what opens a stream says nothing yet, whatever tokens of the prompt it states. Any other is cut: what was held back goes out, and what came is charged.
 */
export const endedEarly = (
  forwarder: StreamForwarder,
  end: EarlyEnd,
  failure: CallFailure,
): Extract<Ended, { kind: 'answered' }> => {
  const cut = { kind: 'answered', answer: forwarder, end, failure } as const
  if (end === 'upstream_broke' && forwarder.refusal === undefined && forwarder.complete)
    return { ...cut, end: 'done', failure: undefined }
  forwarder.releaseHeld()
  return forwarder.delivered ? cut : { ...cut, withheld: true }
}

const earlyEnds: ReadonlySet<string> = new Set<EarlyEnd>(['upstream_broke', 'out_of_quota', 'closed'])

/**
 * Decides the same for a session. Its answers that are over are paid; the one under way is cut where it has said something, and
 * withheld where it has not. A client that ends its session itself, by leaving or by what it sends, pays what it asked for.
 */
export const withheldAtEnd = (meter: Pick<SessionMeter, 'withhold'>, { end, byClient }: Ending): void => {
  if (earlyEnds.has(end) && byClient !== true) meter.withhold()
}
