import type { Usage } from '../../billing/usage.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { openAnswerGuard } from '../stream/answer-guard.ts'
import { PassthroughForwarder } from '../stream/passthrough-forwarder.ts'
import { ReframingForwarder } from '../stream/reframing-forwarder.ts'
import { openReshape } from '../stream/reshape.ts'
import { SoundForwarder } from '../stream/sound-forwarder.ts'
import { headerText, isStream } from '../upstream/upstream.ts'
import { usageLimits } from '../usage/limits.ts'
import { answerStream, oneChunkStream } from './answer-as-stream.ts'
import type {
  ErrorResponse,
  Exchange,
  OutgoingRequest,
  Reading,
  ResponseHead,
  StreamForwarder,
  StreamTarget,
  Used,
} from './exchange.ts'
import { largeAnswerBytes, readLargeAnswer } from './large-answers.ts'
import { lastMembers } from './last-members.ts'
import { passthroughOf } from './passthrough-dialect.ts'
import { asksForUsage, type PassthroughParts } from './passthrough-request.ts'
import { answerHeaders, type PrintedAnswer, streamHead } from './printed-answer.ts'
import { errorIn, jsonObject, openaiError, WholeAnswer } from './whole-answer.ts'

const none: readonly string[] = []

/** Client and provider speak the same dialect: the answer's bytes go through as they come. */
export class PassthroughExchange implements Exchange {
  protected readonly parts: PassthroughParts
  private isReading = false

  constructor(parts: PassthroughParts) {
    this.parts = parts
  }

  get request(): OutgoingRequest {
    return this.parts.request
  }

  get effort(): string | undefined {
    return this.parts.effort
  }

  get unsupported(): readonly string[] {
    return this.parts.unsupported ?? none
  }

  openStream(head: ResponseHead, target: StreamTarget): StreamForwarder | undefined {
    const { call } = this.parts
    if (isStream(head.headers, call.stream)) return this.forwardEvents(target)
    return call.endpoint === 'speech' && isSound(head)
      ? new SoundForwarder({ target, headers: head.headers })
      : undefined
  }

  readResponse(head: ResponseHead, bytes: Buffer): Reading | Promise<Reading> {
    const json = this.readPart(bytes, head)
    if (json === undefined && bytes.length >= largeAnswerBytes && !this.parts.call.stream)
      return this.readLarge(head, bytes)
    return this.judge(head, bytes, json ?? jsonObject(bytes))
  }

  readError(body: Buffer): ErrorResponse {
    return { body: openaiError(body, this.parts.errorOf), native: true }
  }

  /** A whole answer that has come is paid for. */
  leave(): boolean {
    return this.isReading
  }

  /** As much of a whole answer as somebody has to read; undefined for all of it. */
  protected readPart(bytes: Buffer, _head: ResponseHead): JsonObject | undefined {
    return usageAtTheEnd(bytes, this.parts)
  }

  private async readLarge(head: ResponseHead, received: Buffer): Promise<Reading> {
    this.isReading = true
    const { bytes, json } = await readLargeAnswer(received)
    return this.judge(head, bytes, json)
  }

  private judge(head: ResponseHead, bytes: Buffer, json: JsonObject): Reading {
    const { call, errorOf } = this.parts
    return errorIn(json, errorOf, passthroughOf(call).isError(json)) ?? this.answer(head, bytes, json)
  }

  private answer(head: ResponseHead, bytes: Buffer, json: JsonObject): PassthroughAnswer {
    return new PassthroughAnswer(this.parts, head, bytes, json)
  }

  private forwardEvents(target: StreamTarget): StreamForwarder {
    const { call, channel, request, stripUsage = false, frames } = this.parts
    const dialect = passthroughOf(call)
    const forwarder = new PassthroughForwarder({
      target,
      unsupported: this.unsupported,
      guard: openAnswerGuard(target.answerCheck),
      inspector: dialect.createInspector(usageLimits(call, request.model)),
      stripUsage,
      asksForUsage: asksForUsage(call),
      reshape: dialect.chatChunks ? openReshape(channel) : undefined,
    })
    return frames === undefined ? forwarder : new ReframingForwarder(forwarder, frames(), target.largestEvent)
  }
}

/** An error, or events, would come as text. */
const isSound = ({ headers }: ResponseHead): boolean => !/json|^text\//i.test(headerText(headers, 'content-type'))

const muchBulk = 32 * 1024

/** Of vectors and pictures nobody reads more than what they cost. undefined where all has to be read. */
const usageAtTheEnd = (bytes: Buffer, { call, errorOf }: PassthroughParts): JsonObject | undefined => {
  const isBulk = call.endpoint === 'embeddings' || call.endpoint === 'images'
  if (!isBulk || bytes.length < muchBulk || errorOf !== undefined) return undefined
  // An error, or the tier that was granted, may stand anywhere.
  if (bytes.includes('"error"') || bytes.includes('"service_tier"')) return undefined
  const members = lastMembers(bytes, 'usage')
  return members === undefined || passthroughOf(call).usage(members) === undefined ? undefined : members
}

/** A whole answer in the client's own dialect. */
class PassthroughAnswer extends WholeAnswer {
  readonly json: JsonObject
  readonly unsupported: readonly string[]
  private readonly bytes: Buffer

  constructor(
    { call, request, unsupported = none }: PassthroughParts,
    head: ResponseHead,
    bytes: Buffer,
    json: JsonObject,
  ) {
    super(call, request.model, head)
    this.json = json
    this.bytes = bytes
    this.unsupported = unsupported
  }

  output(): AnswerText {
    return { text: passthroughOf(this.call).textOf(this.json).text, toolCalls: 0 }
  }

  extras(): Extras {
    return passthroughOf(this.call).extras(this.json)
  }

  override answerId(): string | undefined {
    const { id } = this.json
    return typeof id === 'string' ? id : undefined
  }

  print({ usage }: Used): PrintedAnswer {
    if (this.call.stream) return { status: 200, head: streamHead, bytes: this.asStream(usage) }
    const { status, headers } = this.head
    return { status, head: answerHeaders(headers, this.bytes.length), bytes: this.bytes }
  }

  protected reported(): Usage | undefined {
    return passthroughOf(this.call).usage(this.json)
  }

  private asStream(usage: Usage): string {
    const { call, json } = this
    const { dialect: client } = call
    const answer = client?.passthrough.readAnswer?.(json)
    if (answer === undefined || client === undefined) return oneChunkStream(json, { withUsage: asksForUsage(call) })
    return answerStream(answer, usage, call, client, client.readRequest(call.body, call))
  }
}
