import { ownMember } from '@tollgate/contract/own-member'
import type { Usage } from '../../billing/usage.ts'
import { withSystemPrompt } from '../../dialects/channel-prompt.ts'
import type { Answer, Finish } from '../../dialects/conversation/conversation.ts'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { supportedAnswer } from '../../dialects/conversation/supported-answer.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import type { Frames } from '../../dialects/frames.ts'
import type { AnswerText, PassthroughDialect } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { unaskedStream } from '../../dialects/unasked-stream.ts'
import type { Adjustment, ModelOptions, ProviderDialect } from '../../providers/provider.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel, RelayOptions } from '../ports.ts'
import { openAnswerGuard } from '../stream/answer-guard.ts'
import { createFinishReader } from '../stream/finish-reader.ts'
import { PassthroughForwarder } from '../stream/passthrough-forwarder.ts'
import { ReframingForwarder } from '../stream/reframing-forwarder.ts'
import { openReshape } from '../stream/reshape.ts'
import { SoundForwarder } from '../stream/sound-forwarder.ts'
import { errorName, openSpeller, withoutNullError } from '../stream/spelling.ts'
import { headerText, isStream } from '../upstream/upstream.ts'
import { laterLimits } from '../usage/undoubted.ts'
import { answerStream, namedAnswer, oneChunkStream } from './answer-as-stream.ts'
import { marked } from './cache-marks.ts'
import { withMembers, withMessages } from './edit-request.ts'
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
import { largeAnswerBytes, readLargeAnswer } from './large-answers.ts'
import { lastMembers } from './last-members.ts'
import { answerHeaders, type PrintedAnswer, streamHead } from './printed-answer.ts'
import { badResponse, jsonObject, noAnswer, openaiError, WholeAnswer } from './whole-answer.ts'

export interface PassthroughParts {
  readonly call: RelayCall
  readonly channel: Pick<RelayChannel, 'forceFormat' | 'thinkingToContent'>
  /** Dialect of the provider's answer. */
  readonly dialect: PassthroughDialect
  readonly request: ProviderRequest
  readonly effort?: string | undefined
  /** Request fields that were removed because the model refuses them; none when absent. */
  readonly unsupported?: readonly string[] | undefined
  /** The relay asked for the usage event, not the client: the event is not forwarded. */
  readonly stripUsage?: boolean
  /** How the provider frames its streams; server-sent events when absent. */
  readonly frames?: (() => Frames) | undefined
  /** The provider's side of the dialect, for streams that were not requested. */
  readonly upstream?: UpstreamDialect | undefined
  /** Errors that an answer may hold in the provider's own shape. */
  readonly errorOf?: UpstreamDialect['errorOf'] | undefined
}

const none: readonly string[] = []

/** Client and provider speak the same dialect: the answer's bytes are forwarded unchanged. */
export class PassthroughExchange implements Exchange {
  readonly request: ProviderRequest
  readonly effort: string | undefined
  readonly unsupported: readonly string[]
  protected readonly parts: PassthroughParts
  private readonly isTurn: boolean
  private isReading = false

  constructor(parts: PassthroughParts) {
    this.parts = parts
    this.request = parts.request
    this.effort = parts.effort
    this.unsupported = parts.unsupported ?? none
    this.isTurn = isTurn(parts.call)
  }

  openStream(head: ResponseHead, target: StreamTarget): StreamForwarder | undefined {
    const { call } = this.parts
    if (this.isUnasked(head)) return undefined
    if (isStream(head.headers, call.stream)) return this.forwardEvents(target)
    return isSpoken(call, head) ? new SoundForwarder({ target, headers: head.headers }) : undefined
  }

  readResponse(head: ResponseHead, bytes: Buffer): Reading | Promise<Reading> {
    const { call } = this.parts
    if (this.isUnasked(head)) return this.readUnasked(head, bytes)
    const json = this.readPart(bytes, head)
    if (json === undefined && bytes.length >= largeAnswerBytes && !call.stream) return this.readLarge(head, bytes)
    return this.judge(head, bytes, json ?? jsonObject(bytes))
  }

  /** True for a stream that was not requested: some engines stream unless `stream` is false, such as `transformers serve` in Responses. */
  private isUnasked({ headers }: ResponseHead): boolean {
    const { call, upstream } = this.parts
    const type = headers['content-type']
    if (typeof type === 'string' && type.startsWith('application/json')) return false
    return !call.stream && upstream !== undefined && this.isTurn && isStream(headers, false)
  }

  private readUnasked(head: ResponseHead, bytes: Buffer): Reading {
    const { call, upstream, frames } = this.parts
    const { dialect: client } = call
    if (upstream === undefined || client === undefined) return this.judge(head, bytes, jsonObject(bytes))
    const conversation = client.readRequest(call.body, call)
    const write = (answer: Answer) =>
      client.writeAnswer(supportedAnswer(namedAnswer(answer, call), client).answer, conversation)
    const unasked = unaskedStream(bytes, upstream, write, frames?.())
    if (unasked.kind === 'error') return unasked
    if (unasked.kind === 'broken')
      return { kind: 'broken', code: 'upstream_broke', cause: 'the stream ended in the middle of the answer' }
    const { json } = unasked
    const whole = { ...head, headers: { ...head.headers, 'content-type': 'application/json' } }
    return this.judge(whole, Buffer.from(JSON.stringify(json)), json)
  }

  readError(body: Buffer): ErrorResponse {
    return { body: openaiError(body, this.parts.errorOf), native: true }
  }

  /** A whole answer that has arrived is charged. */
  leave(): boolean {
    return this.isReading
  }

  /** The part of a whole answer that must be read; undefined for all of it. */
  protected readPart(bytes: Buffer, _head: ResponseHead): JsonObject | undefined {
    const { endpoint } = this.parts.call
    return endpoint === 'embeddings' || endpoint === 'images' ? usageAtTheEnd(bytes, this.parts) : undefined
  }

  private async readLarge(head: ResponseHead, received: Buffer): Promise<Reading> {
    this.isReading = true
    const { bytes, json } = await readLargeAnswer(received)
    return this.judge(head, bytes, json)
  }

  private judge(head: ResponseHead, bytes: Buffer, json: JsonObject): Reading {
    const { call, dialect, errorOf } = this.parts
    const error = errorOf?.(json)
    if (error !== undefined || dialect.isError(json)) return badResponse(json, error)
    if (this.isTurn && dialect.isAnswer?.(json) === false) return noAnswer(json)
    const isSpelled = dialect.spelling === 'chunks' && call.asIs !== true && this.isTurn && bytes.includes(errorName)
    return new PassthroughAnswer(this.parts, head, isSpelled ? withoutNullError(bytes) : bytes, json)
  }

  private forwardEvents(target: StreamTarget): StreamForwarder {
    const { call, channel, dialect, request, stripUsage = false, frames } = this.parts
    const forwarder = new PassthroughForwarder({
      target,
      unsupported: this.unsupported,
      guard: openAnswerGuard(target.answerCheck),
      inspector: dialect.createInspector(
        laterLimits(call, request.model, { sent: request.body, provider: request.provider }),
      ),
      passesOnDeclined: call.passesOnDeclined === true,
      stripUsage,
      finishes:
        call.trace === undefined || dialect.finishes === undefined ? undefined : createFinishReader(dialect.finishes),
      asksForUsage: asksForUsage(call),
      reshape: dialect.chatChunks ? openReshape(channel) : undefined,
      speller: call.asIs === true ? undefined : openSpeller(dialect.spelling),
    })
    return frames === undefined ? forwarder : new ReframingForwarder(forwarder, frames(), target.largestEvent)
  }
}

/** Calls that only count tokens have other answers. */
const isTurn = ({ dialect, path }: RelayCall): boolean => dialect === undefined || dialect.paths.isTurn(path)

/** Spoken audio; an error, or events, would come as text. */
const isSpoken = ({ endpoint }: RelayCall, { headers }: ResponseHead): boolean =>
  endpoint === 'speech' && !/json|^text\//i.test(headerText(headers, 'content-type'))

const muchBulk = 32 * 1024

/** Usage at the end of an answer with vectors or pictures; undefined where all has to be read. */
const usageAtTheEnd = (bytes: Buffer, { dialect, errorOf }: PassthroughParts): JsonObject | undefined => {
  if (bytes.length < muchBulk || errorOf !== undefined) return undefined
  // An error, or the tier that was granted, may stand anywhere.
  if (bytes.includes('"error"') || bytes.includes('"service_tier"')) return undefined
  const members = lastMembers(bytes, 'usage')
  return members === undefined || dialect.usage(members) === undefined ? undefined : members
}

/** A whole answer in the client's own dialect. */
class PassthroughAnswer extends WholeAnswer {
  readonly json: JsonObject
  readonly unsupported: readonly string[]
  private readonly bytes: Buffer
  private readonly dialect: PassthroughDialect
  override readonly calls: number
  /** Absent in dialects without any, as in `ProviderAnswer`. */
  readonly seals: (() => readonly string[]) | undefined

  constructor(
    { call, dialect, request, unsupported = none }: PassthroughParts,
    head: ResponseHead,
    bytes: Buffer,
    json: JsonObject,
  ) {
    super(call, request, head)
    this.json = json
    this.bytes = bytes
    this.dialect = dialect
    this.calls = dialect.calls?.(json) ?? 1
    this.unsupported = unsupported
    this.seals = dialect.seals && (() => dialect.seals?.(json, request.model) ?? none)
  }

  output(): AnswerText {
    return { text: this.dialect.textOf(this.json).text, toolCalls: 0 }
  }

  extras(): Extras {
    return this.dialect.extras(this.json)
  }

  statedModel(): string | undefined {
    return this.dialect.statedModel?.(this.json)
  }

  finishReasons(): readonly Finish[] {
    const { finishes } = this.dialect
    if (finishes === undefined) return []
    const reader = createFinishReader(finishes)
    reader.read(this.json)
    return reader.reasons()
  }

  refusedAtOnce(): boolean {
    return this.dialect.refusedAtOnce?.(this.json) === true
  }

  itemIds(): readonly string[] {
    return this.call.dialect?.storedResponses?.itemIdsOf?.(this.json) ?? none
  }

  override answerId(): string | undefined {
    return this.call.dialect?.storedResponses?.idOf(this.json)
  }

  print({ usage }: Used): PrintedAnswer {
    if (this.call.stream) return { status: 200, head: streamHead, bytes: this.asStream(usage) }
    const { status, headers } = this.head
    return { status, head: answerHeaders(headers, this.bytes.length), bytes: this.bytes }
  }

  protected reported(): Usage | undefined {
    return this.dialect.usage(this.json)
  }

  private asStream(usage: Usage): string {
    const { call, json } = this
    const { dialect: client } = call
    const answer = client?.passthrough.readAnswer?.(json)
    if (answer === undefined || client === undefined) return oneChunkStream(json, { withUsage: asksForUsage(call) })
    return answerStream({ answer, usage }, call, client, client.readRequest(call.body, call))
  }
}

/** True if the client asked for the usage event of a stream of chat completions. */
export const asksForUsage = ({ body }: Pick<RelayCall, 'body'>): boolean =>
  isObject(body.stream_options) && body.stream_options.include_usage === true

/** Members that the channel sets in every body, except those of embeddings and rerank. */
export const overrides = (call: RelayCall, channel: RelayChannel): JsonObject =>
  call.endpoint === 'embeddings' || call.endpoint === 'rerank' ? {} : (channel.paramOverride ?? {})

/** Operators' settings that change bodies. */
export interface RequestSettings {
  /** Bodies are forwarded unchanged. */
  readonly passThrough: boolean
  /** Asks for the usage event of chat completions even where the client did not. */
  readonly forceStreamOption: boolean
  readonly models: ModelOptions
  /** Cache breakpoints that groups want to be set. */
  readonly cacheMarks: RelayOptions['cacheMarks']
}

/** Stream options: those of the client where the provider accepts them, and the usage event so that usage is known. */
export const streamOptions = (
  call: RelayCall,
  channel: RelayChannel,
  dialect: PassthroughDialect,
  force: boolean,
): Record<string, unknown> => {
  if (dialect.chatChunks !== true) return {}
  const present = 'stream_options' in call.body
  const { streamOptions: isForced, refusesStreamOptions } = channel.provider
  // Outside of a stream OpenAI refuses it.
  if (!call.stream || refusesStreamOptions) return present ? { stream_options: undefined } : {}
  if (!isForced || !force || asksForUsage(call)) return {}
  const sent = isObject(call.body.stream_options) ? call.body.stream_options : {}
  return { stream_options: { ...sent, include_usage: true } }
}

/** Members of the body that defer the answer (`RequestRules.deferredBy`); none in almost every call. */
const deferringIn = ({ dialect, body }: RelayCall): readonly string[] => {
  const names = dialect?.requestRules.deferredBy ?? none
  return names.some((name) => Object.hasOwn(body, name)) ? names.filter((name) => isAsked(ownMember(body, name))) : none
}

const isAsked = (value: unknown): boolean => value !== undefined && value !== null && value !== false

const removing = (names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, undefined]))

const edited = (raw: Buffer, members: JsonObject, adjustment: Adjustment | undefined): Buffer => {
  const changed = Object.keys(members).length === 0 ? raw : withMembers(raw, members)
  return adjustment === undefined ? changed : withMessages(changed, adjustment)
}

/**
 * Passthrough of a call: mapped model, stream options, the provider's rules, the channel's overrides. All other bytes stay; a body
 * without changes is the same buffer. `language` is the client's own at this channel.
 */
export const passthroughExchange = (
  call: RelayCall,
  channel: RelayChannel,
  dialect: PassthroughDialect,
  mapped: string,
  language: ProviderDialect | undefined,
  settings: RequestSettings,
): PassthroughExchange => {
  const { passThrough, forceStreamOption, models: options } = settings
  const { path, query, accept, stream, passed, recalled } = call
  const { provider } = channel
  const frames = language?.frames
  const upstream = language?.dialect(options)
  const errorOf = upstream?.errorOf
  const contentType = 'application/json'
  const deferring = deferringIn(call)
  if (passThrough && provider.envelope !== true) {
    const sent = deferring.length === 0 ? call.raw : withMembers(call.raw, removing(deferring))
    const request = { model: mapped, path, query, contentType, accept, body: sent, provider }
    return new PassthroughExchange({
      call,
      channel,
      dialect,
      request,
      unsupported: deferring,
      frames,
      upstream,
      errorOf,
    })
  }
  const { unreadable } = call
  const whole = (recalled && upstream?.withThoughts?.(call.body, recalled, mapped)) ?? call.body
  const restored = whole === call.body ? undefined : { messages: whole.messages }
  const readable = unreadable && call.dialect?.seals?.without(whole, unreadable)
  const body = readable === undefined ? whole : { ...whole, ...readable }
  const adjustment = provider.adjust?.({ path, model: mapped, baseUrl: channel.baseUrl, body, options, stream, passed })
  const model = adjustment?.model ?? mapped
  const streaming = streamOptions(call, channel, dialect, forceStreamOption)
  const named: Record<string, unknown> = model === call.body.model || call.dialect?.modelInPath ? {} : { model }
  const members = Object.assign(named, streaming, restored, readable, adjustment?.members)
  if (channel.systemPrompt !== undefined && call.dialect !== undefined && isTurn(call))
    Object.assign(members, withSystemPrompt(call.dialect.name, { ...body, ...members }, channel.systemPrompt))
  Object.assign(members, overrides(call, channel))
  if (deferring.length > 0) Object.assign(members, removing(deferring))
  const request = { model, path, query, contentType, accept, body: edited(call.raw, members, adjustment), provider }
  return new PassthroughExchange({
    call,
    channel,
    dialect,
    request: marked(request, { call, channel }, upstream, settings),
    effort: adjustment?.effort,
    unsupported:
      deferring.length === 0 ? adjustment?.unsupported : [...(adjustment?.unsupported ?? none), ...deferring],
    stripUsage: streaming.stream_options !== undefined,
    frames,
    upstream,
    errorOf,
  })
}
