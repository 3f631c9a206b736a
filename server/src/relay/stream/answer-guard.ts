/** Blocked words in answers (options CheckSensitiveOnCompletionEnabled, StopOnSensitiveEnabled, SensitiveWords). */
export interface AnswerCheck {
  /** Lower-cased; empty when answers are not checked. */
  readonly words: readonly string[]
  /** True ends an answer at such a word; false only logs the word. */
  readonly stop: boolean
  /** Number of a stream's newest events that are held back, so that a word is found before its first half was sent. */
  readonly hold: number
}

/** The first of the words in a text, also as a part of a word. */
export const wordIn = (text: string, words: readonly string[]): string | undefined => {
  if (words.length === 0 || text === '') return undefined
  const lower = text.toLowerCase()
  return words.find((word) => lower.includes(word))
}

/** Finds words in a stream, across events, and holds the newest events back. One per stream. */
export class AnswerGuard {
  /** The word that was found. */
  found: string | undefined
  private readonly check: AnswerCheck
  private readonly overlap: number
  /** The last characters of the text, which may begin a blocked word. */
  private before = ''
  private waiting: string[] = []

  constructor(check: AnswerCheck) {
    this.check = check
    this.overlap = Math.max(...check.words.map((word) => word.length)) - 1
  }

  /** True if the answer has to end here. */
  get stopped(): boolean {
    return this.check.stop && this.found !== undefined
  }

  /** Takes an event with its text; returns the printed events that may be sent. Waiting ones are dropped on a stop. */
  pass(printed: string, text: string): string {
    if (text !== '') this.look(text)
    if (this.stopped) {
      this.waiting = []
      return ''
    }
    if (printed !== '') this.waiting.push(printed)
    const { hold } = this.check
    return this.waiting.length <= hold ? '' : this.waiting.splice(0, this.waiting.length - hold).join('')
  }

  /** The events that are still held back at the end of the stream. */
  rest(): string {
    const printed = this.waiting.join('')
    this.waiting = []
    return printed
  }

  private look(text: string): void {
    if (this.found !== undefined) return
    const recent = this.before + text.toLowerCase()
    this.found = wordIn(recent, this.check.words)
    this.before = this.overlap > 0 ? recent.slice(-this.overlap) : ''
  }
}

/** undefined when answers are not checked, so that nothing has to be parsed for it. */
export const openAnswerGuard = (check: AnswerCheck | undefined): AnswerGuard | undefined =>
  check === undefined || check.words.length === 0 ? undefined : new AnswerGuard(check)
