import type { Usage } from '../../billing/usage.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { Frames } from '../../dialects/frames.ts'
import type { AnswerText } from '../../dialects/passthrough.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { Used } from '../usage/billed-usage.ts'
import type { AnswerGuard } from './answer-guard.ts'
import type { NativePump, Pump, PumpAnswer } from './pump.ts'

/** Events of Anthropic's dialect are named, after their type. */
const eventOf = (message: string): string => {
  const event = parsedJson(message)
  const name = isObject(event) && typeof event.type === 'string' ? `event: ${event.type}\n` : ''
  return name + dataEvent(message)
}

/** Both sides speak the same dialect, but the upstream cuts its stream in a way of its own: same words, other frames. */
export class ReframedPump implements Pump {
  private readonly inner: NativePump
  private readonly frames: Frames
  private readonly largestEvent: number

  constructor(inner: NativePump, frames: Frames, largestEvent: number) {
    this.inner = inner
    this.frames = frames
    this.largestEvent = largestEvent
  }

  get started(): boolean {
    return this.inner.started
  }

  get passesRefusal(): boolean {
    return this.inner.passesRefusal
  }

  get refusal(): unknown {
    return this.inner.refusal
  }

  get guard(): AnswerGuard | undefined {
    return this.inner.guard
  }

  push(chunk: Buffer): PumpAnswer {
    const answer = this.take(this.frames.push(chunk))
    return answer === 'flowing' && this.frames.heldBytes > this.largestEvent ? 'too_large' : answer
  }

  finish(): boolean {
    this.take(this.frames.rest())
    return this.inner.finish()
  }

  usage(): Usage | undefined {
    return this.inner.usage()
  }

  doubted(): Usage | undefined {
    return this.inner.doubted()
  }

  isPartial(): boolean {
    return this.inner.isPartial()
  }

  said(): AnswerText {
    return this.inner.said()
  }

  extras(): Extras {
    return this.inner.extras()
  }

  ending(used: Used, asksForUsage: boolean): Buffer {
    return this.inner.ending(used, asksForUsage)
  }

  private take(messages: readonly string[]): PumpAnswer {
    return messages.length === 0 ? 'flowing' : this.inner.push(Buffer.from(messages.map(eventOf).join('')))
  }
}
