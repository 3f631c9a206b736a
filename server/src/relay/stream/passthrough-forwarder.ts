import { completionTokens, noUsage, type Usage } from '../../billing/usage.ts'
import type { Doubted } from '../../billing/usage-reports.ts'
import type { Finish } from '../../dialects/conversation/conversation.ts'
import { isObject, type JsonObject, objectIn, parsedJson } from '../../dialects/conversation/json.ts'
import type { AnswerText, StreamInspector } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { dataEvent, EventCutter, payloads } from '../../lib/sse.ts'
import { usageEvent } from '../exchange/answer-as-stream.ts'
import type { Progress, StreamForwarder, StreamTarget, Used } from '../exchange/exchange.ts'
import { type PrintedAnswer, streamHead } from '../exchange/printed-answer.ts'
import { openKeyCutter } from '../upstream/redact.ts'
import { StreamText } from '../usage/stream-text.ts'
import type { AnswerGuard } from './answer-guard.ts'
import type { FinishReader } from './finish-reader.ts'
import type { Reshape } from './reshape.ts'
import type { Speller } from './spelling.ts'
import { WithheldOpening } from './withheld-opening.ts'

const dataField = Buffer.from('data:')
const doneMark = '[DONE]'

/** False for most events, which need no parsing. */
const namesUsage = (event: string): boolean => event.includes('"usage"')

/** Single events, each with its blank line. */
const eventsIn = (events: Buffer): string[] => events.toString().split(/(?<=\n\r?\n)/)

const isUsageOnly = (event: unknown): event is JsonObject =>
  isObject(event) && Array.isArray(event.choices) && event.choices.length === 0 && isObject(event.usage)

/** Members of a usage chunk that was not requested: llama.cpp's `timings` are also sent without it. Empty for other engines. */
const timingsOf = ({ usage: _, ...chunk }: JsonObject): string => {
  if (!isObject(chunk.timings)) return ''
  const part = chunk.object === 'text_completion' ? { text: '' } : { delta: {} }
  return dataEvent(JSON.stringify({ ...chunk, choices: [{ index: 0, ...part, finish_reason: null }] }))
}

interface PassthroughStream {
  readonly target: StreamTarget
  /** Request fields that were left out. */
  readonly unsupported: readonly string[]
  readonly guard: AnswerGuard | undefined
  readonly inspector: StreamInspector
  /** The relay asked for the usage event, not the client: the event is not forwarded. */
  readonly stripUsage: boolean
  /** The client asked for the usage event. */
  readonly asksForUsage: boolean
  readonly reshape: Reshape | undefined
  /** Absent where bytes are forwarded unchecked. */
  readonly speller?: Speller | undefined
  /** Set where the call is traced. */
  readonly finishes?: FinishReader | undefined
  /** True if another model is tried when this one declines before any content. */
  readonly passesOnDeclined: boolean
}

/** Forwards whole events unchanged between sides of the same dialect. */
export class PassthroughForwarder implements StreamForwarder {
  readonly kind = 'answer'
  readonly begun = true
  readonly json = undefined
  readonly calls = 1
  started = false
  refusal: unknown
  private readonly guard: AnswerGuard | undefined
  private readonly produced: StreamText
  private readonly cutter = new EventCutter()
  private readonly parts: PassthroughStream
  /** Held events before the first content, where another channel or model may answer. */
  private opening: WithheldOpening | undefined
  /** True if an event of the upstream has reported usage, and was forwarded if the client asked for it. */
  private passedUsage = false
  /** True if something was sent, or would have been if the client had not left. */
  private wrote = false
  private readonly withoutKey: (bytes: Buffer) => Buffer
  /** The end mark and the bytes after it. */
  private tail: Buffer | undefined
  /** Events in one chunk with the end mark: both are sent in one write. */
  private last: Buffer | undefined

  constructor(parts: PassthroughStream) {
    this.parts = parts
    this.guard = parts.guard
    this.withoutKey = openKeyCutter(parts.target.key)
    this.produced = new StreamText(parts.inspector)
    const { inspector, passesOnDeclined, target } = parts
    if (passesOnDeclined || target.holdsOpening) this.opening = new WithheldOpening(inspector, { passesOnDeclined })
  }

  get unsupported(): readonly string[] {
    return this.parts.unsupported
  }

  get complete(): boolean {
    const { inspector } = this.parts
    if (this.tail !== undefined) return true
    // Reads skipped events for the finish reason, where the dialect has one.
    this.produced.read()
    return inspector.mayEnd() || inspector.isPartial?.() === false
  }

  get hasContent(): boolean {
    return this.produced.said || this.parts.inspector.hasReported()
  }

  get delivered(): boolean {
    return this.wrote && this.hasContent
  }

  get stoppedAtWord(): boolean {
    return this.guard?.stopped ?? false
  }

  blockedWord(): string | undefined {
    return this.guard?.found
  }

  /** False where events that are held back or printed anew may lack it. */
  get passesRefusal(): boolean {
    return this.guard === undefined && this.parts.reshape === undefined
  }

  push(chunk: Buffer): Progress {
    const cut = this.cutter.push(chunk)
    const events = cut && this.spelled(cut)
    if (events !== undefined) {
      // Comments keep the client's connection alive, and have no content.
      const { opening } = this
      return opening === undefined || !events.includes(dataField) ? this.forward(events) : this.open(events, opening)
    }
    return this.cutter.heldBytes > this.parts.target.largestEvent ? 'too_large' : 'flowing'
  }

  private spelled(events: Buffer): Buffer {
    return this.withoutKey(this.parts.speller?.spelled(events) ?? events)
  }

  private open(events: Buffer, opening: WithheldOpening): Progress {
    const opened = opening.push(events)
    if (opened === 'declined') return 'declined'
    if (opened === 'refused') {
      this.refusal = opening.refusal
      return 'refused'
    }
    if (opened === undefined) return 'flowing'
    this.opening = undefined
    return this.forward(opened)
  }

  /** Forwards a last event without its blank line. */
  finish(): boolean {
    const rest = this.spelled(this.cutter.rest()).toString().trimEnd()
    const [payload] = payloads(rest)
    if (payload !== undefined && payload !== doneMark && parsedJson(payload) === undefined) return false
    const held = this.opening?.rest() ?? Buffer.alloc(0)
    this.opening = undefined
    if (held.length > 0 || rest !== '')
      this.forward(rest === '' ? held : Buffer.concat([held, Buffer.from(`${rest}\n\n`)]))
    if (this.tail !== undefined) {
      // A failure stays one despite an end mark. Answers with reported tokens need no further reading.
      if (completionTokens(this.usage() ?? noUsage) === 0) this.produced.read()
      this.refusal = this.produced.failure
      return this.refusal === undefined
    }
    if (this.parts.inspector.mayEnd()) return true
    // Streams without an end mark are rare: only these are searched for a finish reason.
    this.produced.read()
    if (this.parts.inspector.mayEnd()) return true
    this.refusal = this.produced.failure
    return false
  }

  releaseHeld(): void {
    if (this.last !== undefined) this.write(this.last)
    this.last = undefined
    if (this.guard !== undefined) this.write(this.visible(Buffer.from(this.guard.rest()), true))
  }

  usage(): Usage | undefined {
    return this.parts.inspector.usage()
  }

  doubted(): Doubted | undefined {
    return this.parts.inspector.doubted()
  }

  isPartial(): boolean {
    return this.parts.inspector.isPartial?.() ?? false
  }

  finishReasons(): readonly Finish[] {
    return this.parts.finishes?.reasons() ?? []
  }

  statedModel(all: boolean): string | undefined {
    const { inspector } = this.parts
    const stated = inspector.statedModel?.(false)
    if (!all || (stated !== undefined && inspector.isPartial?.() !== true)) return stated
    this.produced.read()
    return inspector.statedModel?.(true)
  }

  refusedAtOnce(): boolean {
    return this.parts.inspector.refusedAtOnce?.(() => this.produced.read()) === true
  }

  seals(): readonly string[] {
    return this.parts.inspector.seals?.() ?? []
  }

  itemIds(): readonly string[] {
    return this.parts.inspector.itemIds?.() ?? []
  }

  answerId(): string | undefined {
    return this.parts.inspector.answerId?.()
  }

  ownId(): string | undefined {
    return this.parts.inspector.ownId?.()
  }

  output(): AnswerText {
    return this.produced
  }

  extras(): Extras {
    return this.produced.extras
  }

  print(used: Used): PrintedAnswer {
    // Reported usage is forwarded unchanged, even if it is implausible; clients add several reports up.
    const { estimated, usage } = used
    const lacksEvent = this.passedUsage ? estimated && !this.reportsOutput() : estimated || this.usage() !== undefined
    const isMissing = this.parts.asksForUsage && usage.disputed === undefined && lacksEvent
    const missing = isMissing ? usageEvent(this.produced.lastEvent, usage) : ''
    const { last, tail, guard } = this
    const held = guard === undefined ? undefined : this.visible(Buffer.from(guard.rest()), true)
    const mark = tail ?? Buffer.from(this.parts.inspector.endMark)
    this.produced.close()
    const parts = [last, held, missing === '' ? undefined : Buffer.from(missing), mark]
    return { status: 200, head: streamHead, bytes: Buffer.concat(parts.filter((part) => part !== undefined)) }
  }

  /** True if the client got a usage event of the upstream; clients add several up. */
  private reportsOutput(): boolean {
    const usage = this.usage()
    return usage !== undefined && completionTokens(usage) > 0
  }

  /** Reads the tail last, since the end of an answer decides. */
  private readTail(): void {
    if (this.tail !== undefined) this.parts.inspector.readUsage(this.tail)
  }

  private forward(events: Buffer): Progress {
    if (this.tail !== undefined) return 'flowing'
    this.parts.finishes?.push(events)
    const end = this.parts.inspector.endMarkAt(events)
    if (end >= 0) this.tail = Buffer.from(events.subarray(end))
    const body = end < 0 ? events : events.subarray(0, end)
    if (body.length === 0) {
      this.readTail()
      return 'flowing'
    }
    if (!this.started && this.refuses(body)) return 'refused'
    this.produced.add(body)
    const reports = this.parts.inspector.readUsage(body)
    this.passedUsage ||= reports
    this.readTail()
    if (this.guard !== undefined) return this.passGuard(body, this.guard)
    this.release(this.visible(body, reports))
    return 'flowing'
  }

  private passGuard(body: Buffer, guard: AnswerGuard): Progress {
    let passed = eventsIn(body)
      .map((event) => guard.pass(event, this.textIn(event)))
      .join('')
    if (guard.stopped) {
      // Text before the word is sent, even if it arrived in the same chunk.
      this.write(this.visible(Buffer.from(passed), true))
      return 'stopped'
    }
    if (this.tail !== undefined) passed += guard.rest()
    this.release(this.visible(Buffer.from(passed), true))
    return 'flowing'
  }

  private textIn(event: string): string {
    return payloads(event)
      .map(parsedJson)
      .map((json) => (isObject(json) ? this.parts.inspector.textOf(json).text : ''))
      .join('')
  }

  private release(body: Buffer): void {
    if (this.tail === undefined) this.write(body)
    else this.last = body
  }

  /** True if the stream begins with an error, after any comments: the upstream has not answered. */
  private refuses(body: Buffer): boolean {
    if (!body.includes(dataField)) return false
    const { inspector } = this.parts
    if (inspector.mayHoldError(body)) {
      const first = objectIn(payloads(body.toString())[0] ?? '')
      if (first !== undefined && inspector.isError(first)) {
        this.refusal = first
        return true
      }
    }
    this.started = true
    return false
  }

  /** Events without an unrequested usage event, and in the channel's requested form. */
  private visible(body: Buffer, reports: boolean): Buffer {
    const { reshape, stripUsage } = this.parts
    if (reshape !== undefined) return this.reshaped(body, reshape)
    return reports && stripUsage ? this.withoutUsageEvent(body) : body
  }

  private withoutUsageEvent(body: Buffer): Buffer {
    const events = eventsIn(body)
    let isChanged = false
    const kept = events.map((event) => {
      const chunk = namesUsage(event) ? parsedJson(payloads(event)[0] ?? '') : undefined
      if (!isUsageOnly(chunk)) return event
      isChanged = true
      return timingsOf(chunk)
    })
    return isChanged ? Buffer.from(kept.join('')) : body
  }

  private reshaped(body: Buffer, reshape: Reshape): Buffer {
    const printed = payloads(body.toString()).map((payload) => {
      const chunk = parsedJson(payload)
      if (!isObject(chunk)) return dataEvent(payload)
      if (this.parts.stripUsage && isUsageOnly(chunk)) return ''
      return reshape(chunk)
        .map((shaped) => dataEvent(JSON.stringify(shaped)))
        .join('')
    })
    return Buffer.from(printed.join(''))
  }

  private write(bytes: Buffer): void {
    const { target } = this.parts
    const { client } = target
    if (bytes.length === 0) return
    this.wrote = true
    if (client.gone) return
    if (!client.begun) client.head(200, streamHead)
    if (!client.write(bytes)) target.whenFull()
  }
}
