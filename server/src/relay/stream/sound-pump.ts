import { noExtras } from '../../dialects/tools/tools-used.ts'
import type { Client } from '../call.ts'
import type { AnswerHeaders } from '../exchange/answer-headers.ts'
import { keptHeaders } from '../exchange/answer-headers.ts'
import type { Pump, PumpAnswer } from './pump.ts'

interface SoundParts {
  readonly client: Client
  readonly headers: AnswerHeaders
  /** The client does not take more for now. */
  whenFull(): void
}

/** Spoken audio: bytes that go to the client as they come. They say nothing of what they cost. */
export class SoundPump implements Pump {
  started = false
  readonly refusal = undefined
  readonly guard = undefined
  private readonly parts: SoundParts

  constructor(parts: SoundParts) {
    this.parts = parts
  }

  push(chunk: Buffer): PumpAnswer {
    const { client, headers, whenFull } = this.parts
    if (chunk.length === 0) return 'flowing'
    this.started = true
    if (client.gone) return 'flowing'
    // Without its length: the answer ends only when the call is recorded.
    if (!client.begun) client.head(200, keptHeaders(headers))
    if (!client.write(chunk)) whenFull()
    return 'flowing'
  }

  finish(): boolean {
    return true
  }

  usage(): undefined {
    return undefined
  }

  doubted(): undefined {
    return undefined
  }

  isPartial(): boolean {
    return false
  }

  said(): { text: string; toolCalls: number } {
    return { text: '', toolCalls: 0 }
  }

  extras(): typeof noExtras {
    return noExtras
  }

  ending(): Buffer {
    return Buffer.alloc(0)
  }
}
