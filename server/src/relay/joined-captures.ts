import type { CallCapture } from './call-capture.ts'
import type { Captures } from './captures.ts'

/** One capture that passes everything to two. */
const both = (first: CallCapture, second: CallCapture): CallCapture => ({
  get taken() {
    return first.taken || second.taken
  },
  tap: (client) => second.tap(first.tap(client)),
  sent(request) {
    const [left, right] = [first.sent(request), second.sent(request)]
    if (left === undefined || right === undefined) return left ?? right
    return {
      head(status, headers) {
        left.head(status, headers)
        right.head(status, headers)
      },
      data(chunk) {
        left.data(chunk)
        right.data(chunk)
      },
    }
  },
  recorded(record) {
    first.recorded(record)
    second.recorded(record)
  },
  ended(failure) {
    first.ended(failure)
    second.ended(failure)
  },
})

/** Captures for two that want to see calls, each by its own rules. */
export const joinedCaptures = (one: Captures, other: Captures): Captures => ({
  get areOff() {
    return one.areOff === true && other.areOff === true
  },
  open(call) {
    const [first, second] = [one.open(call), other.open(call)]
    return first === undefined || second === undefined ? (first ?? second) : both(first, second)
  },
})
