import type { CallCapture } from './call-capture.ts'
import type { Captures, CurrentCaptures, InspectedCall, Inspections, SwitchedCaptures } from './captures.ts'

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

const opened = (all: readonly Captures[]): Captures => ({
  open: (call) =>
    all.reduce<CallCapture | undefined>((first, captures) => {
      const second = captures.open(call)
      return first === undefined || second === undefined ? (first ?? second) : both(first, second)
    }, undefined),
})

/** Combines several captures, each with its own rules; those that are off are skipped. */
export const joinedCaptures = (all: readonly SwitchedCaptures[]): CurrentCaptures => {
  const joined: { current: Captures | undefined } = { current: undefined }
  const look = (): void => {
    const on = all.filter(({ isOn }) => isOn)
    joined.current = on.length === 0 ? undefined : opened(on)
  }
  for (const captures of all) captures.watch(look)
  look()
  return joined
}

const bothInspected = (first: InspectedCall, second: InspectedCall): InspectedCall => {
  const { tap, recorded, ended } = both(first, second)
  return {
    get taken() {
      return first.taken || second.taken
    },
    tap,
    recorded,
    ended,
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
        more(text) {
          left.more(text)
          right.more(text)
        },
      }
    },
    more(text) {
      first.more(text)
      second.more(text)
    },
    answered(status, headers, bytes) {
      first.answered(status, headers, bytes)
      second.answered(status, headers, bytes)
    },
  }
}

/** Captures of sessions, tasks and direct calls for several; undefined where there are none. */
export const joinedInspections = (all: readonly Inspections[]): Inspections | undefined =>
  all.length < 2
    ? all[0]
    : {
        open: (call) =>
          all.reduce<InspectedCall | undefined>((first, inspections) => {
            const second = inspections.open(call)
            return first === undefined || second === undefined ? (first ?? second) : bothInspected(first, second)
          }, undefined),
      }
