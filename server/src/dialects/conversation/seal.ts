import type { StreamReader, StreamWriter } from '../dialect.ts'
import type { StreamEvent } from './stream-event.ts'

const isLast = ({ kind }: StreamEvent): boolean => kind === 'end' || kind === 'error'

/** Ignores events after `end` or `error`. */
export const sealWriter = (writer: StreamWriter): StreamWriter => {
  let over = false
  return {
    write(event) {
      if (over) return ''
      over = isLast(event)
      return writer.write(event)
    },
  }
}

/** Drops repeated `start` events and all events after `end` or `error`, for upstreams that send them twice. */
export const sealReader = (reader: StreamReader): StreamReader => {
  let started = false
  let over = false
  const isAccepted = (event: StreamEvent): boolean => {
    if (over || (event.kind === 'start' && started)) return false
    started ||= event.kind === 'start'
    over = isLast(event)
    return true
  }
  return {
    read: (data, event) => (over ? [] : reader.read(data, event).filter(isAccepted)),
    end: () => (over ? [] : reader.end().filter(isAccepted)),
  }
}
