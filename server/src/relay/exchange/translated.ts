import type { Usage } from '../../billing/usage.ts'
import { adapted } from '../../dialects/adapted.ts'
import { failureInBaseResp } from '../../dialects/base-resp.ts'
import { withSystemPrompt } from '../../dialects/channel-prompt.ts'
import { collect } from '../../dialects/conversation/collect.ts'
import type { Answer, Conversation, Finish } from '../../dialects/conversation/conversation.ts'
import { areDeclined, areRefusedAtOnce } from '../../dialects/conversation/declined.ts'
import { checkDocumentsRead, holdsFetchedDocuments } from '../../dialects/conversation/gaps/attachments.ts'
import { unreadable } from '../../dialects/conversation/gaps/calls-in-step.ts'
import { failureIn, withoutFailures } from '../../dialects/conversation/gaps/failed-finish.ts'
import { sealMade, withoutSeals } from '../../dialects/conversation/gaps/seals.ts'
import { isObject, type JsonObject, listOf } from '../../dialects/conversation/json.ts'
import { errorObject } from '../../dialects/conversation/stream-event.ts'
import { createSupportedStream, supportedAnswer } from '../../dialects/conversation/supported-answer.ts'
import { createUnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { ClientDialect, Dialect, UpstreamDialect } from '../../dialects/dialect.ts'
import { eventFrames, type Frames } from '../../dialects/frames.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import { checkToolsRun } from '../../dialects/tools/needed-tools.ts'
import { extrasOfAnswer } from '../../dialects/tools/provider-calls.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import type { ModelOptions, ProviderDialect } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import { openAnswerGuard } from '../stream/answer-guard.ts'
import { TranslatingForwarder } from '../stream/translating-forwarder.ts'
import { isStream } from '../upstream/upstream.ts'
import { laterLimits } from '../usage/undoubted.ts'
import { answerStream, namedAnswer } from './answer-as-stream.ts'
import { marked } from './cache-marks.ts'
import { withMessages } from './edit-request.ts'
import type {
  ErrorResponse,
  Exchange,
  ProviderRequest,
  Reading,
  ResponseHead,
  StreamForwarder,
  StreamTarget,
  Used,
} from './exchange.ts'
import { overrides, type RequestSettings } from './passthrough.ts'
import { answerHeaders, type PrintedAnswer, streamHead, unsupportedHeader } from './printed-answer.ts'
import { badResponse, jsonObject, modelFailed, noAnswer, openaiError, WholeAnswer } from './whole-answer.ts'

interface TranslatedParts {
  readonly call: RelayCall
  readonly request: ProviderRequest
  readonly effort: string | undefined
  readonly unsupported: readonly string[]
  readonly conversation: Conversation
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
  readonly frames: () => Frames
}

/** Client and provider speak different dialects: request, answer and stream are read in one and written in the other. */
class TranslatedExchange implements Exchange {
  readonly request: ProviderRequest
  readonly effort: string | undefined
  readonly unsupported: readonly string[]
  private readonly parts: TranslatedParts

  constructor(parts: TranslatedParts) {
    this.parts = parts
    this.request = parts.request
    this.effort = parts.effort
    this.unsupported = parts.unsupported
  }

  openStream(head: ResponseHead, target: StreamTarget): StreamForwarder | undefined {
    const { call, request, unsupported, conversation, client, upstream, frames } = this.parts
    // For a client that wants no stream even a stream is collected.
    if (!call.stream || !isStream(head.headers, true)) return undefined
    return new TranslatingForwarder({
      target,
      unsupported,
      guard: openAnswerGuard(target.answerCheck),
      frames: frames(),
      reader: upstream.openStream(),
      writer: client.openStream(conversation),
      supported: createSupportedStream(client),
      named: { id: call.id, created: Math.floor(call.startedAt / 1000) },
      model: request.model,
      usage: laterLimits(call, request.model, { sent: request.body, provider: request.provider }),
      passesOnDeclined: call.passesOnDeclined === true,
    })
  }

  readResponse(head: ResponseHead, bytes: Buffer): Reading {
    if (isStream(head.headers, false)) return this.readStream(head, bytes)
    const { upstream } = this.parts
    const json = jsonObject(bytes)
    const error = upstream.errorOf?.(json) ?? failureInBaseResp(json)
    if (error !== undefined || isObject(json.error) || json.status === 'failed') return badResponse(json, error)
    const answer = upstream.readAnswer(json)
    if (holdsNothing(json, answer)) return noAnswer(json)
    const failure = failureIn(answer)
    return failure === undefined
      ? new TranslatedAnswer(this.parts, head, json, withoutFailures(answer))
      : modelFailed(failure)
  }

  readError(body: Buffer): ErrorResponse {
    return { body: openaiError(body, this.parts.upstream.errorOf), native: false }
  }

  leave(): boolean {
    return false
  }

  /** Reads a whole stream for a client that did not request one, where the provider only streams. */
  private readStream({ status, headers }: ResponseHead, bytes: Buffer): Reading {
    const frames = this.parts.frames()
    const reader = this.parts.upstream.openStream()
    const messages = [...frames.push(bytes), ...frames.rest()]
    const events = [...messages.flatMap((message) => reader.read(message, '')), ...reader.end()]
    const error = events.find((event) => event.kind === 'error')
    if (error !== undefined) return { kind: 'error', json: { error: errorObject(error) }, status: error.status }
    const isWhole = events.some(({ kind }) => kind === 'finish')
    if (!isWhole)
      return { kind: 'broken', code: 'upstream_broke', cause: 'the stream ended in the middle of the answer' }
    const head = { status, headers: { ...headers, 'content-type': 'application/json' } }
    const answer = collect(events)
    const failure = failureIn(answer)
    return failure === undefined
      ? new TranslatedAnswer(this.parts, head, {}, withoutFailures(answer))
      : modelFailed(failure)
  }
}

/** A whole answer of a provider that speaks another dialect than the client. */
export class TranslatedAnswer extends WholeAnswer {
  readonly json: JsonObject
  readonly unsupported: readonly string[]
  private readonly parts: TranslatedParts
  private readonly answer: Answer

  constructor(parts: TranslatedParts, head: ResponseHead, json: JsonObject, answer: Answer) {
    super(parts.call, parts.request, head)
    this.json = json
    this.parts = parts
    this.answer = answer
    const { unsupported } = supportedAnswer(answer, parts.client)
    this.unsupported = unsupported.length === 0 ? parts.unsupported : [...parts.unsupported, ...unsupported].sort()
  }

  output(): AnswerText {
    return { text: textOf(this.answer), toolCalls: 0 }
  }

  override ownId(): string {
    return this.answer.id
  }

  override isDeclined(): boolean {
    return areDeclined(this.answer.choices)
  }

  statedModel(): string | undefined {
    return this.answer.model || undefined
  }

  finishReasons(): readonly Finish[] {
    return this.answer.choices.map(({ finish }) => finish)
  }

  refusedAtOnce(): boolean {
    return areRefusedAtOnce(this.answer.choices)
  }

  seals(): readonly string[] {
    const model = this.answer.model || this.parts.request.model
    const thoughts = this.answer.choices.flatMap(({ parts }) => parts.filter((part) => part.kind === 'thinking'))
    return thoughts.flatMap((thought) => sealMade(thought, model) ?? [])
  }

  extras(): Extras {
    return extrasOfAnswer(this.answer)
  }

  print({ usage }: Used): PrintedAnswer {
    const dropped = unsupportedHeader(this.unsupported)
    const { call, client, conversation } = this.parts
    if (call.stream) {
      const bytes = answerStream({ answer: this.answer, usage }, call, client, conversation)
      return { status: 200, head: [...streamHead, ...dropped], bytes }
    }
    const { status, headers } = this.head
    const model = this.answer.model || conversation.model
    const named = { ...namedAnswer(this.answer, call), model, usage }
    const json = client.writeAnswer(supportedAnswer(named, client).answer, conversation)
    const bytes = Buffer.from(JSON.stringify(json))
    return { status, head: [...answerHeaders(headers, bytes.length), ...dropped], bytes }
  }

  protected reported(): Usage | undefined {
    return this.answer.usage
  }
}

/** No answer at all: neither contents nor usage, nor a reason why there are none. */
const holdsNothing = ({ choices: listed }: JsonObject, { choices, usage }: Answer): boolean =>
  usage === undefined &&
  listOf(listed).length === 0 &&
  choices.every(({ parts, finish }) => parts.length === 0 && finish === 'stop')

const textOf = ({ choices }: Answer): string =>
  choices
    .flatMap(({ parts }) => parts)
    .map((part) => {
      if (part.kind === 'tool_call') return part.name + part.arguments
      return 'text' in part ? part.text : ''
    })
    .join('')

/** The first language that supports most of the requested provider tools and documents. */
const languageFor = (
  languages: readonly ProviderDialect[],
  conversation: Conversation,
  model: string,
  options: ModelOptions,
): ProviderDialect | undefined => {
  const [first] = languages
  if (languages.length === 1) return first
  const { tools } = conversation
  const fetches = holdsFetchedDocuments(conversation)
  const lacking = ({ lacks, dialect }: ProviderDialect): number =>
    Number(fetches && dialect(options).documentUrls !== true) +
    (lacks === undefined ? 0 : tools.filter((tool) => tool.kind === 'built_in' && lacks(tool.type, model)).length)
  return languages.toSorted((a, b) => lacking(a) - lacking(b))[0]
}

/**
 * The session's name for a provider's cache, where the client's dialect has no place for it: Claude Code names its session in a
 * header. Only the hash goes to the provider.
 */
const cacheKeyOf = (
  { session }: RelayCall,
  { provider, baseUrl, organization, other }: RelayChannel,
  written: JsonObject,
) =>
  session?.named === true &&
  written.prompt_cache_key === undefined &&
  provider.takesCacheKey?.({ baseUrl, organization, other }) === true
    ? { prompt_cache_key: session.id }
    : {}

/**
 * The call in one of the provider's languages, the one that suits it best. Throws AppError for what the client's dialect does
 * not allow. The provider's own rules are about its own language, so they come after the translation.
 */
export const translatedExchange = (
  call: RelayCall,
  {
    channel,
    model: mapped,
    languages,
  }: { readonly channel: RelayChannel; readonly model: string; readonly languages: readonly ProviderDialect[] },
  dialect: Dialect,
  settings: Pick<RequestSettings, 'models' | 'cacheMarks'>,
): Exchange => {
  const { models: options } = settings
  dialect.checkTranslatable(call.body)
  const { body: received, recalled } = call
  const whole = recalled === undefined ? received : (dialect.thoughts?.restored(received, recalled) ?? received)
  const target = { model: mapped, stream: call.stream }
  const atPath = dialect.formAt?.(call.path)
  const read = (atPath ?? dialect).readRequest(whole, target)
  const language = languageFor(languages, read, mapped, options)
  if (language === undefined) throw new Error(`the channel of ${mapped} has no language`)
  const form = atPath === undefined && language.name !== dialect.name ? dialect.formOf?.(whole) : undefined
  const client = atPath ?? form ?? dialect
  const complete = form === undefined ? read : form.readRequest(whole, target)
  const conversation = call.unreadable === undefined ? complete : withoutSeals(complete, call.unreadable)
  const fields = createUnsupportedFields()
  if (conversation.messages.length === 0) throw unreadable(mapped, fields)
  const { conversation: within, dialect: upstream } = adapted(conversation, language.dialect(options), fields)
  const written = upstream.writeRequest(within, fields)
  const { path, frames = eventFrames } = language
  const { stream, passed } = call
  const adjustment = channel.provider.adjust?.({
    path,
    model: mapped,
    baseUrl: channel.baseUrl,
    body: written,
    options,
    stream,
    passed,
  })
  const model = adjustment?.model ?? mapped
  const prompted = withSystemPrompt(language.name, { ...written, ...adjustment?.members }, channel.systemPrompt)
  const named = { ...('model' in written ? { ...written, model } : written), ...cacheKeyOf(call, channel, written) }
  const printed = Buffer.from(
    JSON.stringify({ ...named, ...adjustment?.members, ...prompted, ...overrides(call, channel) }),
  )
  const body = adjustment === undefined ? printed : withMessages(printed, adjustment)
  const refused = adjustment?.unsupported ?? []
  const unsupported = refused.length === 0 ? fields.list() : [...new Set([...fields.list(), ...refused])].sort()
  checkToolsRun(conversation, unsupported)
  checkDocumentsRead(conversation, unsupported)
  // The query belongs to the client's dialect.
  const request = {
    model,
    path,
    query: '',
    contentType: 'application/json',
    accept: undefined,
    body,
    provider: channel.provider,
  }
  return new TranslatedExchange({
    call,
    request: marked(request, { call, channel }, upstream, settings),
    effort: adjustment?.effort,
    unsupported,
    conversation,
    client,
    upstream,
    frames,
  })
}
