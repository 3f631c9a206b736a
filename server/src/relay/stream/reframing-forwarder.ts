import type { Usage } from '../../billing/usage.ts'
import type { Doubted } from '../../billing/usage-reports.ts'
import type { Finish } from '../../dialects/conversation/conversation.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { Frames } from '../../dialects/frames.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Progress, StreamForwarder, Used } from '../exchange/exchange.ts'
import type { PrintedAnswer } from '../exchange/printed-answer.ts'
import type { PassthroughForwarder } from './passthrough-forwarder.ts'

/** Events of Anthropic's dialect are named, after their type. */
const eventOf = (message: string): string => {
  const event = parsedJson(message)
  const name = isObject(event) && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
  return name + dataEvent(message)
}

/** Both sides speak the same dialect, but the upstream frames its messages in a way of its own: only the frames change. */
export class ReframingForwarder implements StreamForwarder {
  readonly kind = 'answer'
  readonly begun = true
  readonly json = undefined
  readonly calls = 1
  private readonly inner: PassthroughForwarder
  private readonly frames: Frames
  private readonly largestEvent: number

  constructor(inner: PassthroughForwarder, frames: Frames, largestEvent: number) {
    this.inner = inner
    this.frames = frames
    this.largestEvent = largestEvent
  }

  get started(): boolean {
    return this.inner.started
  }

  get hasContent(): boolean {
    return this.inner.hasContent
  }

  get delivered(): boolean {
    return this.inner.delivered
  }

  get complete(): boolean {
    return this.inner.complete
  }

  get passesRefusal(): boolean {
    return this.inner.passesRefusal
  }

  get refusal(): unknown {
    return this.inner.refusal
  }

  get stoppedAtWord(): boolean {
    return this.inner.stoppedAtWord
  }

  get unsupported(): readonly string[] {
    return this.inner.unsupported
  }

  push(chunk: Buffer): Progress {
    const progress = this.take(this.frames.push(chunk))
    return progress === 'flowing' && this.frames.heldBytes > this.largestEvent ? 'too_large' : progress
  }

  finish(): boolean {
    this.take(this.frames.rest())
    return this.inner.finish()
  }

  releaseHeld(): void {
    this.inner.releaseHeld()
  }

  ownId(): string | undefined {
    return this.inner.ownId()
  }

  usage(): Usage | undefined {
    return this.inner.usage()
  }

  doubted(): Doubted | undefined {
    return this.inner.doubted()
  }

  isPartial(): boolean {
    return this.inner.isPartial()
  }

  output(): AnswerText {
    return this.inner.output()
  }

  extras(): Extras {
    return this.inner.extras()
  }

  answerId(): string | undefined {
    return this.inner.answerId()
  }

  itemIds(): readonly string[] {
    return this.inner.itemIds()
  }

  seals(): readonly string[] {
    return this.inner.seals()
  }

  finishReasons(): readonly Finish[] {
    return this.inner.finishReasons()
  }

  statedModel(all: boolean): string | undefined {
    return this.inner.statedModel(all)
  }

  blockedWord(): string | undefined {
    return this.inner.blockedWord()
  }

  print(used: Used): PrintedAnswer {
    return this.inner.print(used)
  }

  private take(messages: readonly string[]): Progress {
    return messages.length === 0 ? 'flowing' : this.inner.push(Buffer.from(messages.map(eventOf).join('')))
  }
}
