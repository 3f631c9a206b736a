import type { Usage } from '../../billing/usage.ts'
import { newRequestId } from '../../lib/ids.ts'
import type { ModelOptions } from '../../providers/provider.ts'
import { type AttemptParts, attempt, type RelayLimits } from '../../relay/attempt.ts'
import type { Client, RelayCall } from '../../relay/call.ts'
import type { RelayChannel, UpstreamFailure } from '../../relay/ports.ts'
import { prepare } from '../../relay/request-edit.ts'
import type { Upstream } from '../../relay/upstream.ts'
import { usageOf } from '../../relay/usage-of-answer.ts'

export interface ProbeParts {
  readonly upstream: Upstream
  readonly limits: RelayLimits
  readonly forceStreamOption: boolean
  /** What operators say about families of models. */
  readonly models: () => ModelOptions
}

/** How a channel answered a test. */
export type ProbeAnswer =
  | { readonly kind: 'answered'; readonly usage: Usage | undefined }
  | { readonly kind: 'refused'; readonly failure: UpstreamFailure }

const mokaType = 44

const embeds = (type: number, model: string): boolean =>
  type === mokaType || model.startsWith('m3e') || /embed|bge-/.test(model)

/** How much the answer may cost (relay reference §19.1). */
const limitFor = (model: string): Readonly<Record<string, number>> => {
  if (/^o[13]/.test(model)) return { max_completion_tokens: 10 }
  if (model.includes('thinking')) return model.includes('claude') ? {} : { max_tokens: 50 }
  return { max_tokens: model.includes('gemini') ? 300 : 10 }
}

const question = (type: number, model: string): Pick<RelayCall, 'endpoint' | 'path' | 'body'> =>
  embeds(type, model)
    ? { endpoint: 'embeddings', path: '/v1/embeddings', body: { model, input: ['hello world'] } }
    : {
        endpoint: 'chat',
        path: '/v1/chat/completions',
        body: { model, messages: [{ role: 'user', content: 'hi' }], stream: false, ...limitFor(model) },
      }

/** Nobody reads the answer of a test. */
const nobody: Client = {
  gone: false,
  begun: false,
  head: () => {},
  write: () => true,
  end: () => {},
  listen: () => {},
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

const callFor = (channel: RelayChannel, model: string): RelayCall => {
  const asked = question(channel.type, model)
  return {
    ...asked,
    id: newRequestId(),
    startedAt: Date.now(),
    caller: tester,
    ip: '',
    query: '',
    model,
    stream: false,
    raw: Buffer.from(JSON.stringify(asked.body)),
    accept: undefined,
    passed: {},
  }
}

/** Sends one short request through a channel, exactly as a call would go: mapping, overrides, proxy and all. */
export const probe = async (channel: RelayChannel, model: string, parts: ProbeParts): Promise<ProbeAnswer> => {
  const call = callFor(channel, model)
  const models = parts.models()
  const asked: AttemptParts = {
    call,
    client: nobody,
    channel,
    key: channel.keys[0] ?? '',
    prepared: prepare(call, channel, { passThrough: false, forceStreamOption: parts.forceStreamOption, models }),
    upstream: parts.upstream,
    limits: parts.limits,
    models,
    clock: Date.now,
    onClientGone: 'cancel',
    started: () => {},
    progressed: () => {},
  }
  const outcome = await attempt(asked)
  if (outcome.kind === 'body') {
    return { kind: 'answered', usage: outcome.answer === undefined ? usageOf(outcome.json) : outcome.answer.usage }
  }
  if (outcome.kind === 'refused') return { kind: 'refused', failure: outcome.refusal.failure }
  // An upstream that streams unasked has answered all the same.
  return { kind: 'answered', usage: undefined }
}
