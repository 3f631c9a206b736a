import { settledLength } from '../../billing/counting/slices.ts'

/** Counts the tokens of a text. */
export type CountText = (text: string) => Promise<number>

/** Text of a stream, in case its usage is not reported. Counted text is dropped. */
export class WrittenText {
  /** Text that is not counted yet. */
  text = ''
  /** UTF-8 bytes of all text. */
  bytes = 0
  /** Tokens of the text before `text`; undefined where nothing has been counted yet. */
  earlier: Promise<number> | undefined

  add(fresh: string): void {
    this.text += fresh
    this.bytes += Buffer.byteLength(fresh)
  }

  /** Counts and drops all but the end of the text, cut so that the counts of the pieces add up to that of the whole. */
  settle(count: CountText): void {
    const length = settledLength(this.text)
    if (length === 0) return
    const tokens = Promise.all([this.earlier ?? 0, count(this.text.slice(0, length))])
    this.earlier = tokens.then(([before, more]) => before + more)
    // Copied by way of bytes, since a slice would keep the whole text in memory.
    this.text = Buffer.from(this.text.slice(length)).toString()
  }
}
