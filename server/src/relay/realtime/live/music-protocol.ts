import { noUsage, type Usage } from '../../../billing/usage.ts'
import { type JsonObject, membersOf, objectsOf, textOf } from '../../../dialects/conversation/json.ts'
import type { Used } from '../../exchange/exchange.ts'
import type { SessionMeter, SessionProtocol } from '../session-protocol.ts'
import { bytesOfBase64 } from '../sound.ts'
import { clientContent } from './client-event.ts'
import { tokensPerSecond } from './live-meter.ts'
import { liveProtocol } from './live-protocol.ts'

const usualRate = 48_000
const usualChannels = 2

const numberIn = (mimeType: string, name: string, usual: number): number => {
  const [, value] = new RegExp(`;\\s*${name}=(\\d{1,6})\\b`).exec(mimeType) ?? []
  return Number(value) || usual
}

/** Samples have 16 bits. */
const secondsOf = ({ data, mimeType }: JsonObject): number => {
  const type = textOf(mimeType)
  return bytesOfBase64(data) / (2 * numberIn(type, 'rate', usualRate) * numberIn(type, 'channels', usualChannels))
}

/** Usage of a session of music. Its provider reports none: what was made counts, by its seconds. */
class MusicMeter implements SessionMeter {
  /** Music has no turns. */
  readonly owed = false
  private seconds = 0

  get answered(): boolean {
    return this.seconds > 0
  }

  get soFar(): Usage {
    return { ...noUsage, audioOutput: Math.trunc(this.seconds * tokensPerSecond) }
  }

  /** Its input costs nothing. */
  get delivered(): Usage {
    return this.soFar
  }

  withhold(): void {}

  fromClient(): void {}

  fromUpstream({ serverContent }: JsonObject): boolean {
    const chunks = objectsOf(membersOf(serverContent).audioChunks)
    for (const chunk of chunks) this.seconds += secondsOf(chunk)
    return chunks.length > 0
  }

  settled(): Usage {
    return this.soFar
  }

  async total(): Promise<Used> {
    return { usage: this.soFar, estimated: this.answered }
  }
}

/** Sessions of Lyria RealTime, which begin and end like those of Gemini Live. */
export const musicProtocol: SessionProtocol = {
  ...liveProtocol,
  newMeter: () => new MusicMeter(),
  usageIn: () => undefined,
  blockedWordIn(event, words) {
    const prompts = objectsOf(clientContent(event)?.weightedPrompts ?? clientContent(event)?.weighted_prompts)
    const text = prompts.map((prompt) => textOf(prompt.text).toLowerCase()).join('\n')
    return words.find((word) => text.includes(word))
  },
}
