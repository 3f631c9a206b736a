import { completionTokens, type Usage } from '../../billing/usage.ts'
import type { AnswerText, StreamInspector } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { dataEvent, EventCutter, payloads } from '../../lib/sse.ts'
import type { Client } from '../call.ts'
import { usageEvent } from '../exchange/one-shot.ts'
import type { Reshape } from '../exchange/reshape.ts'
import type { Used } from '../usage/billed-usage.ts'
import { Produced } from '../usage/produced.ts'
import type { AnswerGuard } from './answer-guard.ts'

const dataField = Buffer.from('data:')
const doneMark = '[DONE]'

/** The head of a stream's answer. */
export const streamHead: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
]

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Most events do not, and need no parsing. */
const namesUsage = (event: string): boolean => event.includes('"usage"')

/** One by one, each with its blank line. */
const eventsIn = (events: Buffer): string[] => events.toString().split(/(?<=\n\r?\n)/)

const isUsageOnly = (event: unknown): boolean =>
  isObject(event) && Array.isArray(event.choices) && event.choices.length === 0 && isObject(event.usage)

export type PumpAnswer = 'flowing' | 'refused' | 'broken' | 'too_large' | 'stopped'

/** Carries one upstream's stream to the client, up to its end, which waits until the call is recorded. */
export interface Pump {
  /** An event with content has gone to the client: no other channel may answer any more. */
  readonly started: boolean
  /** The upstream's own words when it began with an error, or broke off with one. */
  readonly refusal: unknown
  /** What HTTP would have said of it; undefined when the upstream did not. */
  readonly refusalStatus?: number | undefined
  /** True where the client has read `refusal` once it has started: nothing needs to be added to it. */
  readonly passesRefusal?: boolean
  /** Looks for blocked words; undefined when nobody asked for that. */
  readonly guard: AnswerGuard | undefined
  push(chunk: Buffer): PumpAnswer
  /** What of the answer the client could not hear; nothing when absent. */
  lost?(): readonly string[]
  /** After the upstream's end. false when it ended in the middle. */
  finish(): boolean
  /** The best that the upstream reported; undefined when it reported nothing that can be billed. */
  usage(): Usage | undefined
  /** What it reported beyond the limits of its call; undefined when nothing was. */
  doubted(): Usage | undefined
  /** Whether that is only the beginning: a stream that was cut short has produced more. */
  isPartial(): boolean
  /** Under which name the provider keeps the answer, where it does. */
  answerId?(): string | undefined
  /** What was produced so far. */
  said(): AnswerText
  /** Tools and tier, as far as they were seen: for answers that were cut short. */
  extras(): Extras
  /** The last bytes of the answer; `used` is told to clients that asked for it and were not told by the upstream. */
  ending(used: Used, asksForUsage: boolean): Buffer
}

export interface PumpParts {
  readonly client: Client
  readonly largestEvent: number
  /** More than the stream's own headers, names and values in turn. */
  readonly head: readonly string[]
  readonly guard: AnswerGuard | undefined
  /** The client does not take more for now. */
  whenFull(): void
}

interface NativeParts extends PumpParts {
  readonly inspector: StreamInspector
  /** The usage event was asked for here, not by the client. */
  readonly stripUsage: boolean
  readonly reshape: Reshape | undefined
}

/** Both sides speak the same dialect: whole events, as they come and as they are. */
export class NativePump implements Pump {
  started = false
  refusal: unknown
  readonly guard: AnswerGuard | undefined
  private readonly produced: Produced
  private readonly cutter = new EventCutter()
  private readonly parts: NativeParts
  /** The end mark and what followed it. */
  private tail: Buffer | undefined
  /** What came together with the end mark: it goes out with it, in one write. */
  private last: Buffer | undefined

  constructor(parts: NativeParts) {
    this.parts = parts
    this.guard = parts.guard
    this.produced = new Produced(parts.inspector)
  }

  /** Events that are held back or printed anew may lack it. */
  get passesRefusal(): boolean {
    return this.guard === undefined && this.parts.reshape === undefined
  }

  push(chunk: Buffer): PumpAnswer {
    const events = this.cutter.push(chunk)
    if (events !== undefined) return this.forward(events)
    return this.cutter.heldBytes > this.parts.largestEvent ? 'too_large' : 'flowing'
  }

  /** Forwards a last event without its blank line. */
  finish(): boolean {
    const rest = this.cutter.rest().toString().trimEnd()
    const [payload] = payloads(rest)
    if (payload !== undefined && payload !== doneMark && parsed(payload) === undefined) return false
    if (rest !== '') this.forward(Buffer.from(`${rest}\n\n`))
    if (this.tail !== undefined || this.parts.inspector.mayEnd()) return true
    // Streams without an end mark are rare: only theirs are read for a reason to finish.
    this.produced.read()
    if (this.parts.inspector.mayEnd()) return true
    this.refusal = this.produced.failure
    return false
  }

  usage(): Usage | undefined {
    return this.parts.inspector.usage()
  }

  doubted(): Usage | undefined {
    return this.parts.inspector.doubted()
  }

  isPartial(): boolean {
    return this.parts.inspector.isPartial?.() ?? false
  }

  answerId(): string | undefined {
    return this.parts.inspector.answerId?.()
  }

  said(): AnswerText {
    return this.produced
  }

  extras(): Extras {
    return this.produced.extras
  }

  ending(used: Used, asksForUsage: boolean): Buffer {
    // What the upstream reported goes out as it came, also where it is not believed; clients add several reports up.
    const isMissing = asksForUsage && used.estimated && used.usage.disputed === undefined && !this.reportsOutput()
    const missing = isMissing ? usageEvent(this.produced.lastEvent, used.usage) : ''
    const { last, tail, guard } = this
    const held = guard === undefined ? undefined : this.seen(Buffer.from(guard.rest()), true)
    const mark = tail ?? Buffer.from(this.parts.inspector.endMark)
    this.produced.close()
    return Buffer.concat(
      [last, held, missing === '' ? undefined : Buffer.from(missing), mark].filter((part) => part !== undefined),
    )
  }

  /** The client has read a usage event of the upstream; clients add several of them up. */
  private reportsOutput(): boolean {
    const usage = this.usage()
    return usage !== undefined && completionTokens(usage) > 0
  }

  private forward(events: Buffer): PumpAnswer {
    if (this.tail !== undefined) return 'flowing'
    const end = this.parts.inspector.endMarkAt(events)
    if (end >= 0) {
      this.tail = Buffer.from(events.subarray(end))
      this.parts.inspector.readUsage(this.tail)
    }
    const body = end < 0 ? events : events.subarray(0, end)
    if (body.length === 0) return 'flowing'
    if (!this.started && this.refuses(body)) return 'refused'
    this.produced.add(body)
    const reports = this.parts.inspector.readUsage(body)
    if (this.guard !== undefined) return this.passGuard(body, this.guard)
    this.release(this.seen(body, reports))
    return 'flowing'
  }

  private passGuard(body: Buffer, guard: AnswerGuard): PumpAnswer {
    let passed = eventsIn(body)
      .map((event) => guard.pass(event, this.saidIn(event)))
      .join('')
    if (guard.stopped) return 'stopped'
    if (this.tail !== undefined) passed += guard.rest()
    this.release(this.seen(Buffer.from(passed), true))
    return 'flowing'
  }

  private saidIn(event: string): string {
    return payloads(event)
      .map(parsed)
      .map((said) => (isObject(said) ? this.parts.inspector.textOf(said).text : ''))
      .join('')
  }

  private release(body: Buffer): void {
    if (this.tail === undefined) this.write(body)
    else this.last = body
  }

  /** An upstream that begins with an error has not answered. Comments before it bind nobody. */
  private refuses(body: Buffer): boolean {
    if (!body.includes(dataField)) return false
    const { inspector } = this.parts
    if (inspector.mayHoldError(body)) {
      const first = parsed(payloads(body.toString())[0] ?? '')
      if (isObject(first) && inspector.isError(first)) {
        this.refusal = first
        return true
      }
    }
    this.started = true
    return false
  }

  private seen(body: Buffer, reports: boolean): Buffer {
    const { reshape, stripUsage } = this.parts
    if (reshape !== undefined) return this.reshaped(body, reshape)
    return reports && stripUsage ? this.withoutUsageEvent(body) : body
  }

  private withoutUsageEvent(body: Buffer): Buffer {
    const events = eventsIn(body)
    const kept = events.filter((event) => !(namesUsage(event) && isUsageOnly(parsed(payloads(event)[0] ?? ''))))
    return kept.length === events.length ? body : Buffer.from(kept.join(''))
  }

  private reshaped(body: Buffer, reshape: Reshape): Buffer {
    const printed = payloads(body.toString()).map((payload) => {
      const chunk = parsed(payload)
      if (!isObject(chunk)) return dataEvent(payload)
      if (this.parts.stripUsage && isUsageOnly(chunk)) return ''
      return reshape(chunk)
        .map((shaped) => dataEvent(JSON.stringify(shaped)))
        .join('')
    })
    return Buffer.from(printed.join(''))
  }

  private write(bytes: Buffer): void {
    const { client, head, whenFull } = this.parts
    if (bytes.length === 0 || client.gone) return
    if (!client.begun) client.head(200, [...streamHead, ...head])
    if (!client.write(bytes)) whenFull()
  }
}
