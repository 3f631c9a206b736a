import { completionTokens, noUsage, type Usage } from '../../../billing/usage.ts'
import { openaiChatDialect } from '../../../dialects/openai-chat/dialect.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newRequestId } from '../../../lib/ids.ts'
import type { ModelOptions } from '../../../providers/provider.ts'
import type { Client, ClientListeners, RelayCall } from '../../../relay/call.ts'
import type { AttemptParts } from '../../../relay/exchange/attempt-request.ts'
import type { Outcome, RelayLimits } from '../../../relay/exchange/exchange.ts'
import { exchangeFor } from '../../../relay/exchange/exchange-for.ts'
import { attempt } from '../../../relay/exchange/transport.ts'
import { failureOf } from '../../../relay/failure.ts'
import type { RelayChannel, UpstreamFailure } from '../../../relay/ports.ts'
import type { Upstream } from '../../../relay/upstream/upstream.ts'
import { testAdvice } from './test-advice.ts'
import { watchUpstream } from './watched-upstream.ts'

export interface ProbeParts {
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly forceStreamOption: boolean
  /** Operators' options for families of models. */
  readonly models: () => ModelOptions
}

/** Request to a channel. */
export interface Probe {
  readonly model: string
  /** One of the channel's keys; empty for its first. */
  readonly key: string
  readonly stream: boolean
  /** Empty for "hi". */
  readonly prompt: string
  /** Milliseconds for everything together. */
  readonly timeoutMs: number
}

/** How a channel answered a test. */
export type ProbeAnswer =
  | {
      readonly kind: 'answered'
      readonly usage: Usage
      readonly text: string
      /** Milliseconds since 1970 of the first content of a stream; undefined where nothing was streamed. */
      readonly firstContentAt: number | undefined
    }
  | {
      readonly kind: 'refused'
      readonly failure: UpstreamFailure
      /** The same for the operator, with the address and what to do; undefined where the failure's own text says it all. */
      readonly advice: AppError | undefined
    }

const mokaType = 44

const reranks = (model: string): boolean => /rerank/i.test(model)

const embeds = (type: number, model: string): boolean =>
  type === mokaType || /^(m3e|tao-8k|jina-clip)/.test(model) || /embed|bge-/i.test(model)

/** How much the answer may cost; a question of one's own wants to be answered. */
const limitFor = (model: string, isOwn: boolean): Readonly<Record<string, number>> => {
  const few = isOwn ? 300 : 10
  if (/^o[13]/.test(model)) return { max_completion_tokens: few }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: Math.max(50, few) }
  return { max_tokens: model.includes('gemini') ? 300 : few }
}

const question = (
  type: number,
  { model, stream, prompt }: Probe,
): Pick<RelayCall, 'endpoint' | 'dialect' | 'path' | 'body'> => {
  if (reranks(model)) {
    const body = { model, query: prompt || 'hello', documents: ['hello world'] }
    return { endpoint: 'rerank', dialect: undefined, path: '/v1/rerank', body }
  }
  if (embeds(type, model)) {
    const body = { model, input: [prompt || 'hello world'] }
    return { endpoint: 'embeddings', dialect: undefined, path: '/v1/embeddings', body }
  }
  const messages = [{ role: 'user', content: prompt || 'hi' }]
  const body = { model, messages, stream, ...limitFor(model, prompt !== '') }
  return { endpoint: 'conversation', dialect: openaiChatDialect, path: '/v1/chat/completions', body }
}

/** A client that discards the answer of a test; `hangUp` aborts the call. */
const openDiscardingClient = (): { client: Client; hangUp(): void } => {
  let listeners: ClientListeners | undefined
  const client: Client = {
    gone: false,
    begun: false,
    head: () => {},
    write: () => true,
    end: () => {},
    abandon: () => {},
    listen: (added) => {
      listeners = added
    },
  }
  return { client, hangUp: () => listeners?.gone() }
}

const tester: RelayCall['caller'] = {
  userId: 0,
  username: '',
  role: 0,
  userGroup: '',
  acceptsUnpricedModels: true,
  tokenId: 0,
  tokenName: '',
  tokenUnlimited: true,
  group: '',
  modelLimits: undefined,
  forcedChannel: undefined,
}

const callFor = (channel: RelayChannel, request: Probe): RelayCall => {
  const posed = question(channel.type, request)
  return {
    ...posed,
    id: newRequestId(),
    startedAt: Date.now(),
    caller: tester,
    ip: '',
    query: '',
    model: request.model,
    stream: posed.body.stream === true,
    raw: Buffer.from(JSON.stringify(posed.body)),
    accept: undefined,
    passed: {},
  }
}

const refusedBy = (outcome: Outcome): UpstreamFailure | undefined => {
  if (outcome.kind === 'refused') return outcome.refusal.failure
  if (outcome.kind === 'client_gone') return late()
  const { end, failure } = outcome
  if (end === 'done') return undefined
  // Without a failure it hung up because the time was over.
  return failure === undefined ? late() : { ...failure, code: String(failure.code ?? '') }
}

const ownFailure = (code: 'upstream_timeout' | 'empty_answer'): UpstreamFailure => {
  const { type, message, sentence, cause } = failureOf(new AppError(code))
  return { status: 0, type, code, message, sentence, cause }
}

const late = (): UpstreamFailure => ownFailure('upstream_timeout')

/** Sends one short request through a channel, exactly as a call would go: mapping, overrides, proxy and all. */
export const probe = async (channel: RelayChannel, request: Probe, parts: ProbeParts): Promise<ProbeAnswer> => {
  const call = callFor(channel, request)
  const models = parts.models()
  const discarding = openDiscardingClient()
  const { timeouts } = parts.limits
  const most = (ms: number): number => (ms === 0 ? request.timeoutMs : Math.min(ms, request.timeoutMs))
  const watched = watchUpstream(parts.upstream)
  const key = request.key || (channel.keys[0] ?? '')
  const began = Date.now()
  let firstContentAt: number | undefined
  const attemptParts: AttemptParts = {
    call,
    client: discarding.client,
    channel,
    key,
    exchange: exchangeFor(call, channel, {
      passThrough: false,
      forceStreamOption: parts.forceStreamOption,
      models,
      cacheMarks: new Map(),
    }),
    upstream: watched.upstream,
    limits: {
      ...parts.limits,
      timeouts: { ...timeouts, connect: most(timeouts.connect), firstByte: most(timeouts.firstByte) },
    },
    models,
    clock: Date.now,
    onClientGone: 'cancel',
    answerCheck: { words: [], stop: false, hold: 0 },
    started: () => {
      firstContentAt = Date.now()
    },
    progressed: () => {},
  }
  const timer = setTimeout(discarding.hangUp, request.timeoutMs)
  const outcome = await attempt(attemptParts)
  clearTimeout(timer)
  const refused = (failure: UpstreamFailure): ProbeAnswer => {
    const asked = watched.latest()
    const failed = { failure, key, proxy: channel.proxy, took: Date.now() - began }
    return { kind: 'refused', failure, advice: asked && testAdvice({ request: asked, ...failed }) }
  }
  const failure = refusedBy(outcome)
  if (failure || outcome.kind !== 'answered') return refused(failure ?? late())
  const { text } = outcome.answer.output()
  const usage = outcome.answer.usage() ?? noUsage
  // A service that is none of this type, or refuses with a status of 200, answers with JSON that says nothing to us.
  const isEmpty = call.endpoint === 'conversation' && text === '' && completionTokens(usage) === 0
  if (isEmpty) return refused(ownFailure('empty_answer'))
  return { kind: 'answered', usage, text, firstContentAt }
}
