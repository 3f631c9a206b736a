import type { AnswerText } from '../../dialects/passthrough.ts'
import { type Extras, noExtras } from '../../dialects/tools/tools-used.ts'
import type { Progress, StreamForwarder, StreamTarget } from '../exchange/exchange.ts'
import { keptHeaders, type PrintedAnswer, streamHead } from '../exchange/printed-answer.ts'
import { type Headers, headerText } from '../upstream/upstream.ts'
import { secondsOf } from '../usage/sound/spoken-sound.ts'

interface SoundParts {
  readonly target: StreamTarget
  readonly headers: Headers
}

const nothing = Buffer.alloc(0)
/** Enough for the headers of a sound. */
const headBytes = 4096

/** Forwards the bytes of spoken audio unchanged. They contain no usage. */
export class SoundForwarder implements StreamForwarder {
  readonly kind = 'answer'
  readonly begun = true
  readonly json = undefined
  readonly calls = 1
  readonly unsupported: readonly string[] = []
  started = false
  readonly refusal = undefined
  readonly stoppedAtWord = false
  /** Bytes have no end mark. */
  readonly complete = false
  private readonly parts: SoundParts
  private head = nothing
  private bytes = 0

  constructor(parts: SoundParts) {
    this.parts = parts
  }

  get hasContent(): boolean {
    return this.started
  }

  get delivered(): boolean {
    return this.started
  }

  push(chunk: Buffer): Progress {
    const { target, headers } = this.parts
    const { client } = target
    if (chunk.length === 0) return 'flowing'
    this.started = true
    this.bytes += chunk.length
    if (this.head.length < headBytes) this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes)])
    if (client.gone) return 'flowing'
    // Without its length: the answer ends only when the call is recorded.
    if (!client.begun) client.head(200, keptHeaders(headers))
    if (!client.write(chunk)) target.whenFull()
    return 'flowing'
  }

  finish(): boolean {
    return true
  }

  releaseHeld(): void {}

  usage(): undefined {
    return undefined
  }

  soundSeconds(): number | undefined {
    return secondsOf(headerText(this.parts.headers, 'content-type'), this.head, this.bytes)
  }

  doubted(): undefined {
    return undefined
  }

  isPartial(): boolean {
    return false
  }

  output(): AnswerText {
    return { text: '', toolCalls: 0 }
  }

  extras(): Extras {
    return noExtras
  }

  answerId(): undefined {
    return undefined
  }

  blockedWord(): undefined {
    return undefined
  }

  print(): PrintedAnswer {
    return { status: 200, head: streamHead, bytes: nothing }
  }
}
