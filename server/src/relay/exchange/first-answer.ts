import { AppError } from '../../lib/app-error.ts'
import type { Client, RelayCall } from '../call.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import type { StreamProgress } from '../holds/stream-progress.ts'
import type { FetchPicture, Recorder, RelayOptions, UpstreamFailure } from '../ports.ts'
import type { Trail } from '../record.ts'
import { keyFor, lastRefusal, nextChannel, noChannel, noteAttempt, type WalkParts } from '../routing/channel-walk.ts'
import { anotherKeyMayHelp } from '../routing/key-choice.ts'
import { routedModel } from '../routing/plan.ts'
import { mayRetry } from '../routing/retry-table.ts'
import type { KeepAlive } from '../stream/keep-alive.ts'
import { streamHead } from '../stream/pump.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import { attempt } from './attempt.ts'
import type { AttemptParts, Outcome, RelayLimits } from './outcome.ts'
import { prepare } from './request-edit.ts'

export interface AnswerParts extends WalkParts {
  readonly recorder: Recorder
  readonly upstream: Upstream
  readonly fetchPicture: FetchPicture
  readonly limits: RelayLimits
  readonly forceStreamOption: boolean
  readonly keepAlive: KeepAlive
}

type Answered = Exclude<Outcome, { kind: 'refused' | 'gone' }>
export type FirstAnswer =
  | Answered
  | { readonly kind: 'failed'; readonly failure: CallFailure }
  /** The client left, and the channel bills its prompt all the same. */
  | { readonly kind: 'aborted' }

const noChannels: ReadonlySet<number> = new Set()
const nothing = (): void => {}

const failed = (failure: CallFailure): FirstAnswer => ({ kind: 'failed', failure })

/** Of a client that left before the first byte. */
export const clientGone = (): CallFailure => failureOf(new AppError('client_gone'))

const comment = (client: Client): void => {
  if (client.gone) return
  if (!client.begun) client.head(200, streamHead)
  client.write(': keep-alive\n\n')
}

/**
 * Asks channel after channel until one answers or nobody else may. Throws AppError for faults of our
 * own, such as a circular model mapping.
 */
export const firstAnswer = async (
  call: RelayCall,
  client: Client,
  progress: StreamProgress | undefined,
  options: RelayOptions,
  trail: Trail,
  parts: AnswerParts,
): Promise<FirstAnswer> => {
  let tried = noChannels
  let triedKeys: Set<string> | undefined
  const progressed: AttemptParts['progressed'] =
    progress === undefined ? nothing : (pump, bytes, stream) => progress.progressed(pump, bytes, stream)
  const unwatch = call.stream ? parts.keepAlive.watch(() => comment(client)) : nothing
  let refusal: Refusal | undefined
  try {
    for (let number = 0; number <= options.retryTimes; number += 1) {
      const channel = nextChannel(call, tried, number, parts)
      if (channel === undefined) break
      const prepared = prepare(call, channel, {
        passThrough: options.passThrough,
        forceStreamOption: parts.forceStreamOption,
        models: options.models,
      })
      trail.channelId = channel.id
      trail.upstreamModel = prepared.model
      trail.effort = prepared.effort
      trail.lost = (prepared.conversion ?? prepared.retelling ?? prepared).lost ?? []
      if (trail.lost.length > 0 && options.strictGroups.has(call.caller.group)) {
        // Another channel may speak the client's language; asking none is no attempt.
        tried = new Set(tried).add(channel.id)
        number -= 1
        continue
      }
      const startedAt = parts.clock()
      const { channels } = parts
      const key = keyFor(call, channel, triedKeys, parts)
      trail.key = key
      const outcome = await attempt({
        call,
        client,
        channel,
        key,
        prepared,
        upstream: parts.upstream,
        fetchPicture: parts.fetchPicture,
        limits: parts.limits,
        models: options.models,
        clock: parts.clock,
        onClientGone: options.onClientGone,
        answerCheck: options.answerCheck,
        progressed,
        started() {
          unwatch()
          trail.firstByteMs = Math.max(0, parts.clock() - call.startedAt)
        },
      })
      const endedAt = parts.clock()
      noteAttempt(trail, channel, {
        startedMs: startedAt - call.startedAt,
        durationMs: endedAt - startedAt,
        status: statusOf(outcome),
        error: wentWrong(outcome),
      })
      if (outcome.kind === 'gone') {
        return outcome.sent && channel.billsAborted === true ? { kind: 'aborted' } : failed(clientGone())
      }
      const firstContent = trail.firstByteMs === undefined ? -1 : trail.firstByteMs + call.startedAt - startedAt
      channels.report(channel, faultOf(outcome), key, routedModel(call.model), endedAt - startedAt, firstContent)
      if (outcome.kind !== 'refused') return outcome
      refusal = outcome.refusal
      if (!mayRetry(refusal.status, channel.type)) break
      if (channel.ring !== undefined) {
        triedKeys = (triedKeys ?? new Set()).add(key)
        if (anotherKeyMayHelp(channel, refusal, triedKeys)) continue
      }
      tried = new Set(tried).add(channel.id)
    }
  } finally {
    unwatch()
  }
  if (refusal !== undefined) return failed(lastRefusal(refusal, call))
  if (trail.lost.length === 0) return failed(noChannel(call, parts))
  const params = { model: call.model, fields: trail.lost.join(', ') }
  return failed(failureOf(new AppError('fields_lost', { params })))
}

/** What the channel's keeper has to hear; a stream that broke off is a failure although its client got something. */
const faultOf = (outcome: Outcome): UpstreamFailure | undefined => {
  if (outcome.kind === 'refused') return outcome.refusal.failure
  if (outcome.kind !== 'streamed' || outcome.end !== 'upstream_broke') return undefined
  const { status, type, code, message, cause } = outcome.failure
  return { status, type, code: typeof code === 'string' ? code : '', message, cause }
}

const wentWrong = (outcome: Outcome): string => {
  if (outcome.kind === 'refused') return outcome.refusal.failure.cause
  if (outcome.kind === 'gone') return 'the client has gone'
  return outcome.kind === 'streamed' && outcome.end === 'upstream_broke' ? outcome.failure.cause : ''
}

const statusOf = (outcome: Outcome): number => {
  if (outcome.kind === 'refused') return outcome.refusal.failure.status
  return outcome.kind === 'gone' ? 0 : 200
}
