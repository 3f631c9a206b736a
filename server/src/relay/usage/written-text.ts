import { settledLength } from '../../billing/counting/slices.ts'

/** Counts the tokens of a text. */
export type CountText = (text: string) => Promise<number>

/** The text of a stream, in case its usage is not reported. What has been counted is forgotten. */
export class WrittenText {
  /** What has not been counted yet. */
  text = ''
  /** Of all of it, in UTF-8. */
  bytes = 0
  /** Tokens of what came before `text`; undefined where nothing has been counted yet. */
  earlier: Promise<number> | undefined

  add(fresh: string): void {
    this.text += fresh
    this.bytes += Buffer.byteLength(fresh)
  }

  /** Hands over all but the end of it, cut so that the counts of the pieces add up to that of the whole. */
  settle(count: CountText): void {
    const length = settledLength(this.text)
    if (length === 0) return
    const tokens = Promise.all([this.earlier ?? 0, count(this.text.slice(0, length))])
    this.earlier = tokens.then(([before, more]) => before + more)
    // By way of bytes, as a slice would keep the whole text.
    this.text = Buffer.from(this.text.slice(length)).toString()
  }
}
