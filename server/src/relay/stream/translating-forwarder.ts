import { completionTokens, type Usage } from '../../billing/usage.ts'
import { type Doubted, type UsageLimits, UsageReports } from '../../billing/usage-reports.ts'
import type { Finish } from '../../dialects/conversation/conversation.ts'
import { fallbackIn, isDeclined, isOutput } from '../../dialects/conversation/declined.ts'
import { openFailureFilter } from '../../dialects/conversation/gaps/failed-finish.ts'
import { sealMade } from '../../dialects/conversation/gaps/seals.ts'
import { errorObject, type StreamEvent, saysSomething } from '../../dialects/conversation/stream-event.ts'
import type { SupportedStream } from '../../dialects/conversation/supported-answer.ts'
import type { StreamReader, StreamWriter } from '../../dialects/dialect.ts'
import type { Frames } from '../../dialects/frames.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import { createProviderCalls } from '../../dialects/tools/provider-calls.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import type { Progress, StreamForwarder, StreamTarget, Used } from '../exchange/exchange.ts'
import { type PrintedAnswer, streamHead, unsupportedHeader } from '../exchange/printed-answer.ts'
import { WrittenText } from '../usage/written-text.ts'
import type { AnswerGuard } from './answer-guard.ts'

interface TranslatingParts {
  readonly target: StreamTarget
  /** Request fields that the provider cannot express. */
  readonly unsupported: readonly string[]
  readonly guard: AnswerGuard | undefined
  readonly frames: Frames
  readonly reader: StreamReader
  readonly writer: StreamWriter
  readonly supported: SupportedStream
  /** Id and unix seconds of the call, for providers that send neither. */
  readonly named: { readonly id: string; readonly created: number }
  /** The requested model. */
  readonly model: string
  /** Limits of accepted usage reports. */
  readonly usage: UsageLimits
  /** True if another model is tried when this one declines before any content. */
  readonly passesOnDeclined: boolean
}

const hasText = (event: StreamEvent): event is Extract<StreamEvent, { text: string }> => 'text' in event

/** Forwards between different dialects: each event is parsed once, and printed once in the client's dialect. */
export class TranslatingForwarder implements StreamForwarder {
  readonly kind = 'answer'
  readonly begun = true
  readonly json = undefined
  readonly calls = 1
  started = false
  refusal: unknown
  refusalStatus: number | undefined
  mayAskAgain: true | undefined
  private readonly guard: AnswerGuard | undefined
  private readonly parts: TranslatingParts
  /** True once content has arrived, or a report that counts tokens of it. */
  private said = false
  private reported = false
  /** True if something was sent, or would have been if the client had not left. */
  private wrote = false
  /** Printed events that are held back: until there is content the upstream may still have failed. */
  private waiting = ''
  private readonly reports: UsageReports
  private readonly written = new WrittenText()
  /** Texts that are not joined yet. */
  private fresh: string[] = []
  private toolCalls = 0
  private readonly sealed: string[] = []
  private readonly providerCalls = createProviderCalls()
  private readonly failures = openFailureFilter()
  private finished = false
  /** Finish reasons by candidate. */
  private readonly finishes: Finish[] = []
  private model: string | undefined
  private refused = false
  /** True if the model has written content: an empty text or the mark of a fallback does not count. */
  private hasOutput = false
  /** The upstream has ended without the mark of its dialect. */
  private cutOff = false
  private ended = false
  /** The answer's own id. */
  private id = ''

  constructor(parts: TranslatingParts) {
    this.parts = parts
    this.guard = parts.guard
    this.reports = new UsageReports(parts.usage)
  }

  push(chunk: Buffer): Progress {
    const { frames, target } = this.parts
    const progress = this.take(frames.push(chunk))
    return progress === 'flowing' && frames.heldBytes > target.largestEvent ? 'too_large' : progress
  }

  finish(): boolean {
    this.take(this.parts.frames.rest())
    if (!this.ended) {
      this.cutOff = true
      this.write(this.parts.reader.end())
    }
    return this.finished && this.refusal === undefined
  }

  usage(): Usage | undefined {
    return this.reports.best
  }

  doubted(): Doubted | undefined {
    return this.reports.doubted
  }

  isPartial(): boolean {
    return !this.finished
  }

  output(): AnswerText {
    const { written, toolCalls } = this
    written.add(this.fresh.join(''))
    this.fresh = []
    const { text, bytes, earlier } = written
    return { text, toolCalls, textBytes: bytes, earlier, settle: (count) => written.settle(count) }
  }

  get complete(): boolean {
    return this.finished || (this.ended && !this.cutOff)
  }

  get hasContent(): boolean {
    return this.said || this.reported
  }

  get delivered(): boolean {
    return this.wrote && this.hasContent
  }

  releaseHeld(): void {
    this.send(this.guard?.rest() ?? '')
  }

  get unsupported(): readonly string[] {
    const { unsupported, supported } = this.parts
    const dropped = supported.unsupported()
    return dropped.length === 0 ? unsupported : [...unsupported, ...dropped].sort()
  }

  get stoppedAtWord(): boolean {
    return this.guard?.stopped ?? false
  }

  statedModel(): string | undefined {
    return this.model
  }

  finishReasons(): readonly Finish[] {
    return this.finishes.filter((finish) => finish !== undefined)
  }

  refusedAtOnce(): boolean {
    return this.refused && !this.hasOutput
  }

  answerId(): string | undefined {
    return undefined
  }

  ownId(): string {
    return this.id
  }

  blockedWord(): string | undefined {
    return this.guard?.found
  }

  seals(): readonly string[] {
    return this.sealed
  }

  /** Tools and tier; a report may have revoked the tier of the opening. */
  extras(): Extras {
    const { tier, ...extras } = this.providerCalls.extras()
    return tier === undefined || this.reports.isStandard ? extras : { ...extras, tier }
  }

  print({ usage, estimated }: Used): PrintedAnswer {
    const { writer } = this.parts
    const held = this.guard?.rest() ?? ''
    const isCorrected = estimated || usage.disputed !== undefined
    const counted = isCorrected ? writer.write({ kind: 'usage', usage }) : ''
    const bytes = Buffer.from(this.waiting + held + counted + writer.write({ kind: 'end' }))
    return { status: 200, head: streamHead, bytes }
  }

  private take(messages: readonly string[]): Progress {
    if (this.ended || messages.length === 0) return 'flowing'
    return this.write(messages.flatMap((message) => this.parts.reader.read(message, '')))
  }

  private write(events: readonly StreamEvent[]): Progress {
    const { supported } = this.parts
    let printed = ''
    for (const read of events) {
      const event = this.failures(read)
      if (event.kind === 'error') {
        this.refusal = { error: errorObject(event) }
        this.refusalStatus = event.status
        if (read.kind === 'finish') this.fail()
        this.send(printed)
        return this.started ? 'broken' : 'refused'
      }
      if (event.kind === 'finish' && !this.said && this.parts.passesOnDeclined && isDeclined(event.finish))
        return 'declined'
      this.note(event)
      if (event.kind !== 'end')
        printed += this.guarded(this.parts.writer.write(supported.filter(this.named(event))), event)
      if (this.guard?.stopped) {
        // Text before the word is sent, even if it arrived in the same chunk.
        this.send(printed)
        return 'stopped'
      }
    }
    this.send(printed)
    return 'flowing'
  }

  /** The model failed before its answer: an opening and thoughts alone are free. */
  private fail(): void {
    this.mayAskAgain = true
    this.said = false
    this.reported = false
  }

  private named(event: StreamEvent): StreamEvent {
    if (event.kind !== 'start') return event
    const { id, created } = this.parts.named
    this.id ||= event.id
    return { ...event, id: event.id || id, created: event.created || created }
  }

  private guarded(printed: string, event: StreamEvent): string {
    return this.guard === undefined ? printed : this.guard.pass(printed, hasText(event) ? event.text : '')
  }

  private note(event: StreamEvent): void {
    this.providerCalls.note(event)
    const seal = event.kind === 'thinking' ? sealMade(event, this.model ?? this.parts.model) : undefined
    if (seal !== undefined) this.sealed.push(seal)
    if (event.kind === 'usage') this.report(event)
    else if (event.kind === 'end') this.ended = true
    else if (event.kind === 'start') this.model = event.model || this.model
    else if (event.kind === 'part') this.model = fallbackIn(event.part) ?? this.model
    else if (event.kind === 'finish') {
      this.finished = true
      this.finishes[event.choice] = event.finish
      this.refused = event.finish === 'refusal'
    } else if (event.kind === 'tool_call') this.toolCalls += 1
    if (event.kind !== 'start' && event.kind !== 'usage' && event.kind !== 'end') this.started = true
    this.said ||= saysSomething(event)
    this.hasOutput ||= isOutput(event)
    if (hasText(event) && event.text !== '') this.fresh.push(event.text)
  }

  private report({ usage, isOpening, isStandard }: Extract<StreamEvent, { kind: 'usage' }>): void {
    this.reports.note(usage, isStandard)
    this.reported ||= isOpening !== true && completionTokens(usage) > 0
    // The client gets the report, so that it sees everything that it pays for.
    if (this.reported) this.started = true
  }

  private send(printed: string): void {
    const { target, unsupported } = this.parts
    const { client } = target
    this.waiting += printed
    if (!this.started || this.waiting === '') return
    this.wrote = true
    if (client.gone) return
    if (!client.begun) client.head(200, [...streamHead, ...unsupportedHeader(unsupported)])
    const full = !client.write(this.waiting)
    this.waiting = ''
    if (full) target.whenFull()
  }
}
