import type { Channels, LeftWebCall, RelayOptions } from '../ports.ts'
import { hangUpOnce, untilOver, type WebCallParts } from './web-call.ts'

export interface AbandonedWebCallParts extends WebCallParts {
  readonly channels: Pick<Channels, 'snapshot'>
  readonly options: () => Pick<RelayOptions, 'models'>
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** Pauses between the attempts to end a call, in milliseconds; a call lasts an hour at most. */
  readonly pauses?: readonly number[]
}

/** Calls that are ended at the same time. */
const atOnce = 8

/** Error of the attempt to end the call; undefined when it has ended. */
const attempt = async (call: LeftWebCall, parts: AbandonedWebCallParts): Promise<string | undefined> => {
  const channel = parts.channels.snapshot().byId(call.channelId)
  if (channel === undefined) return 'its channel was deleted'
  const { keyHashOf } = parts.storedResponses
  // A key that was replaced belongs to the same account, as a rule.
  const key = channel.keys.find((candidate) => keyHashOf(candidate) === call.keyHash) ?? channel.keys[0] ?? ''
  return hangUpOnce(call.id, { channel, key, model: '', passed: {}, options: parts.options().models }, parts)
}

const end = async (call: LeftWebCall, parts: AbandonedWebCallParts, signal: AbortSignal): Promise<void> => {
  const fields = { request_id: call.requestId, channel: call.channelId }
  const reason = await untilOver(() => attempt(call, parts), parts.pauses, signal)
  if (reason === undefined) parts.log('left_web_call_ended', fields)
  else parts.log('left_web_call_goes_on', { ...fields, reason })
}

/**
 * Ends calls over WebRTC that an earlier process of this node did not end: they were charged up to their last progress record, and
 * unfollowed calls are not metered. Never rejects.
 */
export const endAbandonedWebCalls = async (
  calls: readonly LeftWebCall[],
  parts: AbandonedWebCallParts,
  signal: AbortSignal,
): Promise<void> => {
  const waiting = [...calls]
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) await end(call, parts, signal)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
