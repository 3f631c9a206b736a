import { routedModel } from '../../billing/routed-model.ts'
import { InexpressibleError } from '../../dialects/conversation/gaps/inexpressible.ts'
import { serves } from '../exchange/exchange-for.ts'
import type { RelayChannel } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import { type AttemptContext, askInTurn, type TryOptions } from './attempts/ask-in-turn.ts'
import { noteSide } from './attempts/note-side.ts'
import { candidateTable } from './candidate-tiers.ts'
import type { ChannelAttempt, SentSide } from './channel-attempt.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'

/**
 * Asks channels until one answers, the client leaves, or nobody else may be asked; the last outcome comes back, undefined where nobody was
 * asked. Throws what `prepare` throws, and ChannelsFull where nobody was asked because of limits.
 */
export const tryChannels = async <Outcome>(
  call: RoutedCall,
  attempt: ChannelAttempt<Outcome>,
  options: TryOptions,
  log: AttemptLog,
  parts: RoutingParts,
): Promise<Outcome | undefined> => {
  const context = { call, attempt, options, log, parts }
  const model = routedModel(call.target?.model ?? call.model)
  const channel = straightChannel(context, model)
  if (channel === undefined || !mayAsk(context, channel)) return askInTurn(context)
  const { clock, figures } = parts
  const startedAt = clock()
  const [key = ''] = channel.keys
  log.channelId = channel.id
  log.channel = channel
  log.key = key
  figures?.begins(channel.id)
  const outcome = await attempt.send(channel, key)
  const side: SentSide<Outcome> = { channel, key, startedAt, endedAt: clock(), outcome, counts: true }
  const result = attempt.resultOf(outcome)
  noteSide({ call, model, log, parts }, side, result)
  const isOver = result.kind !== 'refused' && result.retryStatus === undefined
  return isOver ? outcome : askInTurn(context, { side, result })
}

/**
 * The only channel that serves the model of a call, with one key and without limits, where no channel is in trouble, the call is bound to no
 * place, and nobody is asked beside it. undefined where there is anything to decide.
 */
const straightChannel = <Outcome>(
  { call, attempt, options, parts }: AttemptContext<Outcome>,
  model: string,
): RelayChannel | undefined => {
  const { caller, endpoint, dialect, session, plan } = call
  if (call.place !== undefined || call.target !== undefined || call.route !== undefined || call.sealed !== undefined)
    return undefined
  if (caller.forcedChannel !== undefined || caller.project?.channels !== undefined) return undefined
  if (attempt.mayHedge === true && options.hedgedGroups.has(caller.group)) return undefined
  const snapshot = parts.channels.snapshot()
  const { only, keepsShortPrompts } =
    plan?.snapshot === snapshot ? plan.table : candidateTable(snapshot.serving(caller.group, model))
  if (only === undefined) return undefined
  if (session !== undefined && parts.sessionPlaces !== undefined && (session.staysWithChannel || keepsShortPrompts))
    return undefined
  if (parts.callLimits?.ofChannels !== undefined || parts.channels.health?.calm === false) return undefined
  const isServed =
    endpoint === undefined ||
    (endpoint === 'conversation' && dialect !== undefined
      ? only.provider.languages.length > 0
      : serves(only.provider, { endpoint, dialect, path: call.path }))
  return isServed ? only : undefined
}

/** Makes the channel ready; false where it cannot express the call, or not all of a call that has to arrive whole. */
const mayAsk = <Outcome>({ call, attempt, options, log }: AttemptContext<Outcome>, channel: RelayChannel): boolean => {
  try {
    attempt.prepare(channel)
  } catch (error) {
    if (error instanceof InexpressibleError) return false
    throw error
  }
  return log.unsupported.length === 0 || !options.strictGroups.has(call.caller.group)
}
