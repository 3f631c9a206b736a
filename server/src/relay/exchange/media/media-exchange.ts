import { statedInUsage } from '../../../billing/stated/stated-costs.ts'
import { promptTokens, type Usage, withStated } from '../../../billing/usage.ts'
import { isObject, type JsonObject } from '../../../dialects/conversation/json.ts'
import type { AnswerText } from '../../../dialects/passthrough.ts'
import { type Extras, noExtras } from '../../../dialects/tools/tools-used.ts'
import type { ModelOptions } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import type { RelayChannel } from '../../ports.ts'
import { headerText, isStream } from '../../upstream/upstream.ts'
import { oneChunkStream } from '../answer-as-stream.ts'
import type {
  BadResponse,
  Connection,
  ErrorResponse,
  Exchange,
  ProviderRequest,
  Reading,
  ResponseHead,
  Used,
} from '../exchange.ts'
import { asksForUsage, overrides } from '../passthrough.ts'
import { answerHeaders, type PrintedAnswer, streamHead, unsupportedHeader } from '../printed-answer.ts'
import { badResponse, jsonObject, openaiError, WholeAnswer } from '../whole-answer.ts'
import { type Following, openFollowing } from './follow-tools.ts'
import type { AdaptedAnswer, AdapterChannel, MediaAdapter } from './media-adapter.ts'
import { pictureAdapter } from './pictures.ts'
import { speechAdapter, transcriptAdapter } from './sound.ts'
import { embeddingAdapter, rerankAdapter } from './vectors.ts'

/** Adapter for a call; undefined where the provider accepts OpenAI's shape. Throws AppError for unsupported calls. */
const adapterFor = (
  call: RelayCall,
  channel: AdapterChannel,
  model: string,
  options: ModelOptions,
): MediaAdapter | undefined => {
  const { provider } = channel
  if (call.endpoint === 'embeddings') return embeddingAdapter(call, channel, model)
  if (call.endpoint === 'rerank') return rerankAdapter(call, provider, model)
  if (call.endpoint === 'images') return pictureAdapter(call, provider, model, options)
  if (call.endpoint === 'transcripts') return transcriptAdapter(call, provider, model)
  return call.endpoint === 'speech' ? speechAdapter(call, provider, model) : undefined
}

/** Exchange in the provider's own API; undefined where it accepts the client's. Throws AppError for unsupported calls. */
export const mediaExchange = (
  call: RelayCall,
  channel: RelayChannel,
  model: string,
  options: ModelOptions,
): Exchange | undefined => {
  const adapter = adapterFor(call, channel, model, options)
  if (adapter === undefined) return undefined
  const { body: written, path } = adapter
  const { query, accept } = call
  const isBytes = Buffer.isBuffer(written)
  const body = isBytes ? written : Buffer.from(JSON.stringify({ ...written, ...overrides(call, channel) }))
  const contentType = isBytes ? 'application/octet-stream' : 'application/json'
  return new MediaExchange(call, adapter, { model, path, query, accept, contentType, body })
}

/** Pictures, sound, embeddings and rerank where the provider has an API of its own for them. */
class MediaExchange implements Exchange {
  readonly request: ProviderRequest
  readonly effort = undefined
  readonly unsupported: readonly string[]
  private readonly call: RelayCall
  private readonly adapter: MediaAdapter
  private following: Following | undefined

  constructor(call: RelayCall, adapter: MediaAdapter, request: ProviderRequest) {
    this.call = call
    this.adapter = adapter
    this.request = request
    this.unsupported = adapter.unsupported
  }

  openStream(): undefined {
    return undefined
  }

  readResponse(head: ResponseHead, bytes: Buffer, connection: Connection): Reading | Promise<Reading> {
    const { headers } = head
    if (isStream(headers, false)) throw new Error('a stream that nobody asked for')
    const { adapter } = this
    const json = adapter.bare?.(bytes, headerText(headers, 'content-type')) ?? jsonObject(bytes)
    const error = adapter.errorOf?.(json)
    if (error !== undefined || isObject(json.error)) return badResponse(json, error)
    if (adapter.follow === undefined && adapter.complete === undefined) return this.answer(head, this.read(head, json))
    return this.follow(head, json, connection)
  }

  readError(body: Buffer): ErrorResponse {
    return { body: openaiError(body, this.adapter.errorOf), native: true }
  }

  leave(): boolean {
    this.following?.leave()
    return this.following !== undefined
  }

  private read({ headers }: ResponseHead, json: JsonObject): AdaptedAnswer {
    const answer = this.adapter.read(json, (name) => headerText(headers, name))
    const stated = isObject(json.usage) ? statedInUsage(json.usage) : undefined
    return stated === undefined ? answer : { ...answer, stated }
  }

  private answer(head: ResponseHead, answer: AdaptedAnswer): MediaAnswer {
    return new MediaAnswer(this.call, this.request, head, { answer, unsupported: this.unsupported })
  }

  /** Fetches the rest of an answer that spans several responses. */
  private async follow(head: ResponseHead, first: JsonObject, { network, sent }: Connection): Promise<Reading> {
    const { follow, complete, errorOf } = this.adapter
    const following = openFollowing(network)
    this.following = following
    const { tools } = following
    try {
      const json = (await follow?.(first, sent, tools)) ?? first
      const error = json === first ? undefined : errorOf?.(json)
      if (error !== undefined) return badResponse(json, error)
      const read = this.read(head, json)
      const completed = await complete?.(read, tools).catch((reason: unknown) => {
        // A finished answer is charged. A client that has left does not need the rest.
        if (!tools.isClientGone) throw reason
      })
      return this.answer(head, completed ?? read)
    } catch (reason) {
      return unfinished(reason, following)
    } finally {
      following.stop()
    }
  }
}

/** Response for an unfinished answer. Rethrows errors other than timeouts and a client that left. */
const unfinished = (reason: unknown, following: Following): BadResponse => {
  if (following.isLate()) {
    const text = reason instanceof Error ? reason.message : reason
    return { kind: 'broken', code: 'upstream_timeout', cause: `the answer cannot be read: ${text}` }
  }
  if (following.tools.isClientGone) return { kind: 'client_gone' }
  throw reason
}

class MediaAnswer extends WholeAnswer {
  readonly json: JsonObject
  override readonly calls: number
  readonly unsupported: readonly string[]
  private readonly answer: AdaptedAnswer

  constructor(
    call: RelayCall,
    request: ProviderRequest,
    head: ResponseHead,
    { answer, unsupported }: { readonly answer: AdaptedAnswer; readonly unsupported: readonly string[] },
  ) {
    super(call, request, head)
    this.json = answer.json
    this.calls = answer.calls
    this.answer = answer
    this.unsupported = unsupported
  }

  output(): AnswerText {
    return { text: '', toolCalls: 0 }
  }

  extras(): Extras {
    return noExtras
  }

  print(used: Used): PrintedAnswer {
    const { call, json } = this
    const dropped = unsupportedHeader(this.unsupported)
    if (call.stream) {
      const bytes = oneChunkStream(json, { withUsage: asksForUsage(call) })
      return { status: 200, head: [...streamHead, ...dropped], bytes }
    }
    const bytes = this.bytesWith(used)
    const { status, headers } = this.head
    const type = this.answer.plain?.type ?? 'application/json'
    return { status, head: [...answerHeaders({ ...headers, 'content-type': type }, bytes.length), ...dropped], bytes }
  }

  protected reported(): Usage | undefined {
    return withStated(this.answer.usage, this.answer.stated)
  }

  /** The answer with its usage, which clients of vectors rely on even if the provider reports none. */
  private bytesWith({ usage }: Used): Buffer {
    const { endpoint, embeds } = this.call
    const { json, plain, usage: reported } = this.answer
    const tellsTokens = endpoint === 'embeddings' || endpoint === 'rerank'
    if (!tellsTokens || (reported !== undefined && embeds === undefined))
      return plain?.bytes ?? Buffer.from(JSON.stringify(json))
    const tokens = promptTokens(usage)
    const whole = { ...json, usage: { prompt_tokens: tokens, total_tokens: tokens } }
    return Buffer.from(JSON.stringify(embeds === undefined ? whole : embeds.client.write(whole)))
  }
}
