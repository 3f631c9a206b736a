import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { CostPlace } from '../../dialects/cost/cost-place.ts'
import { payloads } from '../../lib/sse.ts'
import type { Client } from '../client.ts'
import type { PrintedAnswer } from '../exchange/printed-answer.ts'
import { ForwardingClient } from '../forwarding-client.ts'
import {
  type AnswerCost,
  type CostFigures,
  costHeader,
  costHeaders,
  exposedCost,
  receiptHeader,
} from './answer-cost.ts'
import { usageText, withCostAt, withoutStatedCost } from './edit-usage.ts'
import { wholeWithCost } from './whole-answer.ts'

/** One by one, each with its blank line. */
const eventsIn = (events: string): string[] => events.split(/(?<=\n\r?\n)/).filter((event) => event !== '')

const isStream = (headers: readonly string[]): boolean =>
  headers.some(
    (value, at) => at % 2 === 0 && /^content-type$/i.test(value) && /event-stream/i.test(headers[at + 1] ?? ''),
  )

/** The event with other data; its name and its other fields stay. */
const withPayload = (event: string, payload: string): string => {
  const others = event.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('data:'))
  return [...others, ...payload.split('\n').map((line) => `data: ${line}`), '', ''].join('\n')
}

/**
 * The client of a call that asked what it costs. A stream passes through but for the event that may be its last report of what was
 * used: that one waits for the charge, or for the next event. The end of an answer is written by `finished`, before it is sent.
 */
export class CostClient extends ForwardingClient {
  private readonly place: CostPlace
  private readonly receipt: string
  private streaming = false
  /** The event that may be the last report, and comments behind it. */
  private held: string[] = []
  private first: JsonObject | undefined
  /** The cost behind a stream of sound. */
  private behind: readonly string[] = []
  /** Of sound that has its cost in its head. */
  private spoken: () => string | undefined = () => undefined

  constructor(client: Client, place: CostPlace, receipt: string) {
    super(client)
    this.place = place
    this.receipt = receipt
  }

  override head(status: number, headers: readonly string[]): void {
    this.streaming = isStream(headers)
    const isNamed = status >= 300 || headers.includes(receiptHeader)
    const named = isNamed ? headers : [...headers, receiptHeader, this.receipt]
    const more = isNamed || this.streaming ? [] : this.headOfSound()
    this.client.head(status, [...named, ...more, ...exposedCost])
  }

  /** Speech whose text alone is billed has its cost in its head: dollars, known when it begins. */
  tellsSpoken(dollars: () => string | undefined): void {
    this.spoken = dollars
  }

  /** The cost, or that it will be said behind the sound. */
  private headOfSound(): readonly string[] {
    const dollars = this.spoken()
    if (dollars !== undefined) return [costHeader, dollars]
    return this.client.trailers === undefined ? [] : ['Trailer', costHeader]
  }

  override end(bytes?: Buffer | string): void {
    if (this.behind.length > 0) this.client.trailers?.add(this.behind)
    this.client.end(bytes)
  }

  override write(bytes: Buffer | string): boolean {
    if (!this.streaming) return this.client.write(bytes)
    const out = eventsIn(bytes.toString())
      .map((event) => this.passed(event))
      .join('')
    return out === '' || this.client.write(out)
  }

  /** The whole of a whole answer, or the rest of a stream, with the cost in it. Nothing is sent. */
  finished(printed: PrintedAnswer, answerCost: AnswerCost): PrintedAnswer {
    if (this.client.begun && !this.streaming) {
      if (this.spoken() === undefined) this.behind = [costHeader, answerCost.dollars]
      return printed
    }
    const head = this.client.begun ? printed.head : [...printed.head, ...costHeaders(answerCost)]
    if (!this.client.begun && !isStream(printed.head))
      return wholeWithCost({ ...printed, head }, answerCost, this.place)
    return { ...printed, head, bytes: Buffer.from(this.rest(printed.bytes.toString(), answerCost)) }
  }

  /** States the cost of a stream that ends early: its client gets the failure behind it. */
  endEarly(answerCost: AnswerCost): void {
    if (this.streaming && !this.gone) this.client.write(this.rest('', answerCost))
  }

  private rest(bytes: string, answerCost: AnswerCost): string {
    const { place } = this
    const events = [...this.held, ...eventsIn(bytes)]
    this.held = []
    const parsed = events.map((event) => this.read(event))
    const last = parsed.findLastIndex((json) => json !== undefined && place.inEvent(json) !== undefined)
    const path = last < 0 ? undefined : place.inEvent(parsed[last] ?? {})
    const printed = events.map((event, index) => {
      const json = parsed[index]
      if (index !== last || path === undefined) return json === undefined ? event : this.stripped(event, json)
      const payload = Buffer.from(payloads(event)[0] ?? '')
      return withPayload(event, withCostAt(payload, path, answerCost, place).toString())
    })
    if (path === undefined) {
      const end = events.findIndex((event) => place.isEnd(payloads(event)[0] ?? ''))
      printed.splice(end < 0 ? events.length : end, 0, place.event(usageText(answerCost, place), this.first ?? {}))
    }
    return printed.join('')
  }

  /** The event as it goes out now; empty where it waits. */
  private passed(event: string): string {
    const json = this.read(event)
    if (json !== undefined && this.place.inEvent(json) !== undefined) {
      const before = this.released()
      this.held = [event]
      return before
    }
    if (this.held.length > 0 && payloads(event).length === 0) {
      this.held.push(event)
      return ''
    }
    return this.released() + (json === undefined ? event : this.stripped(event, json))
  }

  private released(): string {
    if (this.held.length === 0) return ''
    const events = this.held
    this.held = []
    return events.map((event) => this.stripped(event, this.read(event))).join('')
  }

  /** Its JSON, if it may say what was used; the first event is read whatever it says. */
  private read(event: string): JsonObject | undefined {
    const mayReport = this.place.marks.some((mark) => event.includes(mark))
    if (!mayReport && this.first !== undefined) return undefined
    const json = parsedJson(payloads(event)[0] ?? '')
    if (!isObject(json)) return undefined
    this.first ??= json
    return mayReport ? json : undefined
  }

  private stripped(event: string, json: JsonObject | undefined): string {
    if (json === undefined) return event
    const payload = Buffer.from(payloads(event)[0] ?? '')
    const without = withoutStatedCost(payload, json, this.place)
    return without === payload ? event : withPayload(event, without.toString())
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** Client of a call whose cost is known before its answer: adds it to the headers of a success. */
export class CostHeadClient extends ForwardingClient {
  private readonly figures: CostFigures

  constructor(client: Client, figures: CostFigures) {
    super(client)
    this.figures = figures
  }

  override head(status: number, headers: readonly string[]): void {
    const more = isSuccess(status) ? [...costHeaders(this.figures), ...exposedCost] : []
    this.client.head(status, [...withoutCost(headers), ...more])
  }
}

/** Removes the cost headers of a gateway upstream, which would contradict ours. */
const withoutCost = (headers: readonly string[]): string[] =>
  headers.filter((_, at) => !/^x-tollgate-(?:cost|receipt)$/i.test(headers[at - (at % 2)] ?? ''))
