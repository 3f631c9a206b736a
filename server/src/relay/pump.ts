import type { Usage } from '../billing/usage.ts'
import { dataEvent, EventCutter, payloads } from '../lib/sse.ts'
import type { Client } from './call.ts'
import { Produced } from './produced.ts'
import type { Reshape } from './reshape.ts'
import { usageOf } from './usage-of-answer.ts'

const usageName = Buffer.from('"usage"')
const errorName = Buffer.from('"error"')
const dataField = Buffer.from('data:')
const doneMark = '[DONE]'
const doneBytes = Buffer.from(doneMark)
const openBrace = 123
const colon = 58
const lineFeed = 10

/** The head of a stream's answer. */
export const streamHead: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
]

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9

/** Whether a usage object, not a null, stands in the events. In texts the quotes would be escaped. */
const holdsUsage = (events: Buffer): boolean => {
  let at = events.indexOf(usageName)
  while (at >= 0) {
    let value = at + usageName.length
    while (isSpace(events[value]) || events[value] === colon) value += 1
    if (events[value] === openBrace) return true
    at = events.indexOf(usageName, value)
  }
  return false
}

/** Where the line `data: [DONE]` begins; -1 when it is not there. */
const doneAt = (events: Buffer): number => {
  const at = events.lastIndexOf(doneBytes)
  if (at < 0) return -1
  let start = at
  while (isSpace(events[start - 1])) start -= 1
  start -= 'data:'.length
  const begins = start === 0 || events[start - 1] === lineFeed
  return begins && events.toString('latin1', start, start + 5) === 'data:' ? start : -1
}

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

const isUsageOnly = (event: unknown): boolean =>
  isObject(event) && Array.isArray(event.choices) && event.choices.length === 0 && isObject(event.usage)

export type PumpAnswer = 'flowing' | 'refused' | 'too_large'

/**
 * Carries one upstream's stream to the client: whole events, as they come and as they are. It looks only for the usage and
 * the end mark, which it holds back until the call is recorded.
 */
export class Pump {
  readonly produced = new Produced()
  /** An event with content or an error has gone to the client: no other channel may answer any more. */
  started = false
  /** The end mark and what followed it. */
  tail: Buffer | undefined
  /** What came together with the end mark: it goes out with it, in one write. */
  last: Buffer | undefined
  /** The first event, when it was an error. */
  refusal: unknown
  private readonly cutter = new EventCutter()
  private readonly client: Client
  private readonly settings: { readonly stripUsage: boolean; readonly largestEvent: number }
  private readonly reshape: Reshape | undefined
  private usageEvents: Buffer | undefined
  private readonly whenFull: () => void

  constructor(
    client: Client,
    settings: { readonly stripUsage: boolean; readonly largestEvent: number },
    reshape: Reshape | undefined,
    whenFull: () => void,
  ) {
    this.client = client
    this.settings = settings
    this.reshape = reshape
    this.whenFull = whenFull
  }

  push(chunk: Buffer): PumpAnswer {
    const events = this.cutter.push(chunk)
    if (events !== undefined) return this.forward(events)
    return this.cutter.heldBytes > this.settings.largestEvent ? 'too_large' : 'flowing'
  }

  /** After the upstream's end: forwards a last event without its blank line. false when it ended in the middle of one. */
  finish(): boolean {
    const rest = this.cutter.rest().toString().trimEnd()
    if (rest === '') return true
    const [payload] = payloads(rest)
    if (payload !== undefined && payload !== doneMark && parsed(payload) === undefined) return false
    this.forward(Buffer.from(`${rest}\n\n`))
    return true
  }

  /** What the upstream reported last; undefined when it reported nothing that can be billed. */
  usage(): Usage | undefined {
    if (this.usageEvents === undefined) return undefined
    for (const payload of payloads(this.usageEvents.toString()).reverse()) {
      const usage = namesUsage(payload) ? usageOf(parsed(payload)) : undefined
      if (usage !== undefined) return usage
    }
    return undefined
  }

  private forward(events: Buffer): PumpAnswer {
    if (this.tail !== undefined) return 'flowing'
    const end = doneAt(events)
    if (end >= 0) this.tail = Buffer.from(events.subarray(end))
    const body = end < 0 ? events : events.subarray(0, end)
    if (body.length === 0) return 'flowing'
    if (!this.started && this.refuses(body)) return 'refused'
    this.produced.add(body)
    if (end < 0) this.write(this.seen(body))
    else this.last = this.seen(body)
    return 'flowing'
  }

  /** An upstream that begins with an error has not answered (M-19). Comments before it bind nobody. */
  private refuses(body: Buffer): boolean {
    if (!body.includes(dataField)) return false
    if (body.includes(errorName)) {
      const first = parsed(payloads(body.toString())[0] ?? '')
      if (isObject(first) && isObject(first.error) && !Array.isArray(first.choices)) {
        this.refusal = first
        return true
      }
    }
    this.started = true
    return false
  }

  private seen(body: Buffer): Buffer {
    const reports = holdsUsage(body)
    if (reports) this.usageEvents = body
    if (this.reshape !== undefined) return this.reshaped(body, this.reshape)
    return reports && this.settings.stripUsage ? this.withoutUsageEvent(body) : body
  }

  private withoutUsageEvent(body: Buffer): Buffer {
    const events = body.toString().split(/(?<=\n\r?\n)/)
    const kept = events.filter((event) => !(namesUsage(event) && isUsageOnly(parsed(payloads(event)[0] ?? ''))))
    return kept.length === events.length ? body : Buffer.from(kept.join(''))
  }

  private reshaped(body: Buffer, reshape: Reshape): Buffer {
    const printed = payloads(body.toString()).map((payload) => {
      const chunk = parsed(payload)
      if (!isObject(chunk)) return dataEvent(payload)
      if (this.settings.stripUsage && isUsageOnly(chunk)) return ''
      return reshape(chunk)
        .map((shaped) => dataEvent(JSON.stringify(shaped)))
        .join('')
    })
    return Buffer.from(printed.join(''))
  }

  private write(bytes: Buffer): void {
    if (bytes.length === 0 || this.client.gone) return
    if (!this.client.begun) this.client.head(200, streamHead)
    if (!this.client.write(bytes)) this.whenFull()
  }
}
