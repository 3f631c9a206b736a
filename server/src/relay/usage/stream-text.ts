import { type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { AnswerText, StreamInspector } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { payloads } from '../../lib/sse.ts'
import { type CountText, WrittenText } from './written-text.ts'

type Inspected = Pick<StreamInspector, 'textOf' | 'says' | 'inspect' | 'extras' | 'isError'>

const smallest = 1024
const largest = 16 * 1024

/** Buffers of finished streams, by size, for reuse: new memory for every stream would burden the collector. */
const idle = new Map<number, Buffer[]>()
const mostIdle = 256

const takeBuffer = (size: number): Buffer => idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size)

const giveBuffer = (buffer: Buffer): void => {
  const others = idle.get(buffer.length)
  if (others === undefined) idle.set(buffer.length, [buffer])
  else if (others.length < mostIdle) others.push(buffer)
}

/** An event of a stream in the fields that a synthetic one repeats. */
export interface EventHead {
  readonly id?: unknown
  readonly created?: unknown
  readonly model?: unknown
  readonly system_fingerprint?: unknown
}

/**
 * Text of a stream so far, in case its usage is not reported. Bytes are only copied; they are parsed when the buffer is full or the text
 * is needed.
 */
export class StreamText implements AnswerText {
  /** The last error event of the upstream, among the parsed events. */
  failure: unknown
  private readonly inspector: Inspected
  private bytes: Buffer | undefined
  private length = 0
  private readonly written = new WrittenText()
  private mostToolCalls = 0
  private saidSomething = false
  private head: EventHead = {}

  constructor(inspector: Inspected) {
    this.inspector = inspector
  }

  add(events: Buffer): void {
    if (this.length + events.length > largest) this.read()
    if (events.length > largest) {
      this.take(events.toString())
      return
    }
    this.room(this.length + events.length)
    if (this.bytes === undefined) return
    this.bytes.set(events, this.length)
    this.length += events.length
  }

  get text(): string {
    this.read()
    return this.written.text
  }

  get textBytes(): number {
    this.read()
    return this.written.bytes
  }

  get earlier(): Promise<number> | undefined {
    return this.written.earlier
  }

  settle(count: CountText): void {
    this.read()
    this.written.settle(count)
  }

  /** The most that one event held. */
  get toolCalls(): number {
    this.read()
    return this.mostToolCalls
  }

  /** Something of the answer has come. */
  get said(): boolean {
    if (!this.saidSomething) this.read()
    return this.saidSomething
  }

  get extras(): Extras {
    this.read()
    return this.inspector.extras()
  }

  get lastEvent(): EventHead {
    this.read()
    return this.head
  }

  /** Gives the memory back; nothing may be read afterwards that was not read before. */
  close(): void {
    this.length = 0
    this.forget()
  }

  private forget(): void {
    if (this.bytes !== undefined) giveBuffer(this.bytes)
    this.bytes = undefined
  }

  private room(needed: number): void {
    if (this.bytes !== undefined && needed <= this.bytes.length) return
    let size = this.bytes?.length ?? smallest
    while (size < needed) size *= 4
    const larger = takeBuffer(Math.min(size, largest))
    this.bytes?.copy(larger, 0, 0, this.length)
    this.forget()
    this.bytes = larger
  }

  /** Reads what was only copied so far. */
  read(): void {
    if (this.bytes === undefined || this.length === 0) return
    const text = this.bytes.toString('utf8', 0, this.length)
    this.length = 0
    this.take(text)
  }

  private take(events: string): void {
    let fresh = ''
    for (const payload of payloads(events)) {
      const event = parsedJson(payload)
      if (typeof event !== 'object' || event === null) continue
      const { text, toolCalls } = this.inspector.textOf(event)
      this.inspector.inspect(event)
      if (this.inspector.isError(event as JsonObject)) this.failure = event
      else this.saidSomething ||= this.inspector.says(event as JsonObject)
      fresh += text
      this.mostToolCalls = Math.max(this.mostToolCalls, toolCalls)
      this.head = event
    }
    this.written.add(fresh)
  }
}
