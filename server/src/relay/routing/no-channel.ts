import { routedModel } from '../../billing/routed-model.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { bothTexts, type CallFailure, failureOf } from '../failure.ts'
import type { ChannelSnapshot, Channels } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import { canAnswerTo } from './channel-fence.ts'

/** Error for a model without an enabled channel, which may come back. */
export const lacksChannel = (group: string, model: string): AppError =>
  new AppError('no_available_channel', { params: { group, model } })

/** Error for a model without a channel: final if no channel has the model at all, otherwise one may come back. */
export const withoutChannel = (group: string, model: string, snapshot: Pick<ChannelSnapshot, 'knows'>): AppError =>
  snapshot.knows(routedModel(model)) || snapshot.knows(model)
    ? lacksChannel(group, model)
    : new AppError('model_not_found', { params: { model } })

/** Failure of a call without a channel. Channels that have the model but cannot take such a call do not count. */
const noChannel = ({ caller, model, path }: RelayCall, channels: Channels): CallFailure => {
  const { forcedChannel, group } = caller
  const snapshot = channels.snapshot()
  const isThere = forcedChannel === undefined && canAnswerTo(caller, routedModel(model), snapshot)
  if (isThere) return failureOf(new AppError('endpoint_not_served', { params: { model, path } }))
  return failureOf(withoutChannel(group, model, snapshot))
}

/** The last refusal. A final 429 means that all channels are busy, except in dialects that keep the upstream's text. */
const lastRefusal = ({ answer }: Refusal, { dialect }: RelayCall): CallFailure => {
  const keeps = dialect?.keepsRateLimitText === true
  return answer.status === 429 && !keeps ? { ...answer, ...bothTexts(new AppError('upstream_overloaded')) } : answer
}

/** Failure of a call without an answer: that of the last channel, or that none could be asked. */
export const unanswered = (
  call: RelayCall,
  refusal: Refusal | undefined,
  { unsupported }: AttemptLog,
  channels: Channels,
): CallFailure => {
  if (refusal !== undefined) return lastRefusal(refusal, call)
  if (unsupported.length === 0) return noChannel(call, channels)
  return failureOf(new AppError('fields_lost', { params: { model: call.model, fields: unsupported.join(', ') } }))
}
