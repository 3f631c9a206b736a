import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { TokenCounter } from '../ports.ts'
import { heardTokens, spokenTokens } from './sound.ts'

/** What is kept of texts to be counted exactly; of a session that goes on for ever, more is judged by its length. */
const mostText = 256 * 1024

/** Text whose tokens somebody may want to know later. */
class Words {
  private parts: string[] = []
  private length = 0
  /** Bytes that are no longer kept. */
  private judged = 0

  add(text: string): void {
    if (text === '') return
    if (this.length + text.length > mostText) {
      this.judged += Buffer.byteLength(text)
      return
    }
    this.parts.push(text)
    this.length += text.length
  }

  /** All of another one's. */
  take(other: Words): void {
    for (const text of other.parts) this.add(text)
    this.judged += other.judged
  }

  clear(): void {
    this.parts = []
    this.length = 0
    this.judged = 0
  }

  get estimate(): number {
    return estimatePrompt(this.length + this.judged)
  }

  async count(model: string, counter: TokenCounter): Promise<number> {
    const counted = this.parts.length === 0 ? 0 : await counter.text(model, this.parts.join(''))
    return counted + estimatePrompt(this.judged)
  }
}

/** What went to and fro since the upstream last said what was used. */
export class Tally {
  readonly asked = new Words()
  readonly said = new Words()
  /** Tools that were told again with a later response, and what frames each of them. */
  readonly tools = new Words()
  toolFrames = 0
  /** Seconds. */
  heard = 0
  spoken = 0

  /** All of another one's, which is empty then. */
  take(other: Tally): void {
    this.asked.take(other.asked)
    this.said.take(other.said)
    this.tools.take(other.tools)
    this.toolFrames += other.toolFrames
    this.heard += other.heard
    this.spoken += other.spoken
    other.clear()
  }

  clear(): void {
    this.asked.clear()
    this.said.clear()
    this.tools.clear()
    this.toolFrames = 0
    this.heard = 0
    this.spoken = 0
  }

  /** Roughly and at once. */
  get estimate(): Usage {
    return this.usage(this.asked.estimate + this.tools.estimate, this.said.estimate)
  }

  async count(model: string, counter: TokenCounter): Promise<Usage> {
    const [asked, tools, said] = await Promise.all([
      this.asked.count(model, counter),
      this.tools.count(model, counter),
      this.said.count(model, counter),
    ])
    return this.usage(asked + tools, said)
  }

  private usage(input: number, output: number): Usage {
    return {
      ...noUsage,
      input: input + this.toolFrames,
      output,
      audioInput: heardTokens(this.heard),
      audioOutput: spokenTokens(this.spoken),
    }
  }
}
