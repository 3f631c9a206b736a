import type { AnswerEnd, Ended, StreamForwarder } from '../exchange/exchange.ts'
import type { CallFailure } from '../failure.ts'
import type { Ending } from '../realtime/session.ts'
import type { SessionMeter } from '../realtime/session-protocol.ts'

/** Reasons for which a stream ends before its upstream has ended it, other than a client that leaves and a blocked word. */
export type EarlyEnd = Extract<AnswerEnd, 'upstream_broke' | 'out_of_quota' | 'closed'>

/**
 * Decides the delivery, and so the charge, of a stream that ends early. An answer with complete content is delivered and charged, even
 * if the connection broke after it. An answer without any delivered content is withheld and free: an opening is no content, whatever
 * prompt tokens it reports. Any other is cut: held events are sent, and the received part is charged.
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
 * Decides the same for a session. Its finished answers are charged; the running one is cut if it has content, and withheld if not. A
 * client that ends its session itself, by leaving or by a message, pays what it requested.
 */
export const withheldAtEnd = (meter: Pick<SessionMeter, 'withhold'>, { end, byClient }: Ending): void => {
  if (earlyEnds.has(end) && byClient !== true) meter.withhold()
}
