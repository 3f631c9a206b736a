import type { Attempt } from '@tollgate/contract'
import type { AttemptLog } from '../../records/attempt-log.ts'
import type { AttemptResult, SentSide } from '../channel-attempt.ts'
import { seedOfKey } from '../key-choice.ts'
import type { RoutedCall, RoutingParts } from '../routed-call.ts'

type Side = Omit<SentSide<unknown>, 'outcome'>

/** A call, and where its attempts are noted. */
interface NotedCall {
  readonly call: RoutedCall
  /** The model by which channels are routed (`routedModel`). */
  readonly model: string
  readonly log: AttemptLog
  readonly parts: RoutingParts
}

const attemptOf = (call: RoutedCall, side: Side, result: AttemptResult): Attempt => {
  const { status, error, requestId, answerId, receipt } = result
  const { channel, startedAt, endedAt, hedge, cancelled } = side
  const made: Attempt = {
    channel: channel.id,
    channel_name: channel.name,
    started_ms: startedAt - call.startedAt,
    duration_ms: endedAt - startedAt,
    status,
    error: cancelled === true ? '' : error,
  }
  if (requestId) made.request_id = requestId
  if (answerId) made.answer_id = answerId
  if (receipt) made.receipt = receipt
  if (hedge !== undefined) made.hedge = hedge
  if (cancelled === true) made.cancelled = true
  return made
}

/** Notes what became of asking a channel: in the call's log, in the figures of this node, and in the channel's health. */
export const recordAttempt = ({ call, model, log, parts }: NotedCall, side: Side, result: AttemptResult): void => {
  const { channels, figures, firstContents, upstreamLimits } = parts
  const { channel, key, startedAt, endedAt, hedge, cancelled } = side
  const { kind, fault, firstContentAt } = result
  const tookMs = endedAt - startedAt
  figures?.ends(channel.id)
  log.attempts.push(attemptOf(call, side, result))
  call.trace?.attemptEnded(side, result)
  if (cancelled === true) {
    // A lower bound of its latency. The hedge channel had no time to show its own.
    if (hedge === 'first') {
      firstContents?.note(channel.id, model, tookMs, endedAt)
      figures?.answered(channel.id, model, tookMs, endedAt)
    }
    return
  }
  if (kind === 'client_gone') return
  if (kind === 'refused' && call.triesFlex === true) return
  const firstContentMs = firstContentAt === undefined ? -1 : firstContentAt - startedAt
  if (kind !== 'refused' && fault === undefined) {
    figures?.answered(channel.id, model, firstContentMs < 0 ? tookMs : firstContentMs, endedAt)
    if (firstContentMs >= 0) firstContents?.note(channel.id, model, firstContentMs, endedAt)
  }
  if (upstreamLimits !== undefined && (fault?.status === 429 || (fault === undefined && !upstreamLimits.calm))) {
    const asked = { channelId: channel.id, seed: seedOfKey(channel, key), model }
    if (fault === undefined) upstreamLimits.worked(asked)
    else upstreamLimits.refused(asked, fault.retryAfter)
  }
  if (kind !== 'open') channels.report(channel, fault, key, model, tookMs, firstContentMs, call)
}
