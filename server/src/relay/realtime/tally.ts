import { estimatePrompt } from '../../billing/counting/prompt.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { TokenCounter } from '../ports.ts'
import { openaiSound, type SoundTokens } from './sound.ts'

/** UTF-16 units that are stored for exact counting; beyond them text is estimated by its length, since sessions may be endless. */
const mostText = 256 * 1024

/** Text whose tokens are counted when the session ends. */
class CountedText {
  private parts: string[] = []
  private length = 0
  /** Bytes of text that was not stored. */
  private estimatedBytes = 0

  add(text: string): void {
    if (text === '') return
    if (this.length + text.length > mostText) {
      this.estimatedBytes += Buffer.byteLength(text)
      return
    }
    this.parts.push(text)
    this.length += text.length
  }

  /** Moves all text of `other` here. */
  take(other: CountedText): void {
    for (const text of other.parts) this.add(text)
    this.estimatedBytes += other.estimatedBytes
  }

  clear(): void {
    this.parts = []
    this.length = 0
    this.estimatedBytes = 0
  }

  get isEmpty(): boolean {
    return this.length === 0 && this.estimatedBytes === 0
  }

  get estimate(): number {
    return estimatePrompt(this.length + this.estimatedBytes)
  }

  async count(model: string, counter: TokenCounter): Promise<number> {
    const counted = this.parts.length === 0 ? 0 : await counter.text(model, this.parts.join(''))
    return counted + estimatePrompt(this.estimatedBytes)
  }
}

/** Content of both sides since the last report of the upstream. */
export class RealtimeTally {
  readonly inputText = new CountedText()
  readonly outputText = new CountedText()
  /** Tools that a later response sent to the model again. */
  readonly tools = new CountedText()
  /** Tokens that need no counting: frames around tools, pictures. */
  fixedTokens = 0
  /** Seconds of sound. */
  inputSeconds = 0
  outputSeconds = 0
  private readonly sound: SoundTokens

  constructor(sound: SoundTokens = openaiSound) {
    this.sound = sound
  }

  /** Moves all content of `other` here. */
  take(other: RealtimeTally): void {
    this.inputText.take(other.inputText)
    this.outputText.take(other.outputText)
    this.tools.take(other.tools)
    this.fixedTokens += other.fixedTokens
    this.inputSeconds += other.inputSeconds
    this.outputSeconds += other.outputSeconds
    other.clear()
  }

  /** The upstream's part alone. */
  get outputOnly(): RealtimeTally {
    const output = new RealtimeTally(this.sound)
    output.outputText.take(this.outputText)
    output.outputSeconds = this.outputSeconds
    return output
  }

  clear(): void {
    this.inputText.clear()
    this.outputText.clear()
    this.tools.clear()
    this.fixedTokens = 0
    this.inputSeconds = 0
    this.outputSeconds = 0
  }

  get isEmpty(): boolean {
    const texts = [this.inputText, this.outputText, this.tools]
    return texts.every((text) => text.isEmpty) && this.fixedTokens + this.inputSeconds + this.outputSeconds === 0
  }

  /** Synchronous estimate. */
  get estimate(): Usage {
    return this.usage(this.inputText.estimate + this.tools.estimate, this.outputText.estimate)
  }

  async count(model: string, counter: TokenCounter): Promise<Usage> {
    const [inputText, tools, outputText] = await Promise.all([
      this.inputText.count(model, counter),
      this.tools.count(model, counter),
      this.outputText.count(model, counter),
    ])
    return this.usage(inputText + tools, outputText)
  }

  private usage(input: number, output: number): Usage {
    return {
      ...noUsage,
      input: input + this.fixedTokens,
      output,
      audioInput: this.sound.input(this.inputSeconds),
      audioOutput: this.sound.output(this.outputSeconds),
    }
  }
}
