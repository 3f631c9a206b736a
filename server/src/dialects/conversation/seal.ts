import type { StreamReader, StreamWriter } from '../dialect.ts'
import type { StreamEvent } from './stream-event.ts'

const isLast = ({ kind }: StreamEvent): boolean => kind === 'end' || kind === 'error'

/** Nothing is printed after the end of a stream, or after the error that ended it. */
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

/** A stream starts once and ends once, whatever its upstream says twice. */
export const sealReader = (reader: StreamReader): StreamReader => {
  let started = false
  let over = false
  const isNews = (event: StreamEvent): boolean => {
    if (over || (event.kind === 'start' && started)) return false
    started ||= event.kind === 'start'
    over = isLast(event)
    return true
  }
  return {
    read: (data, event) => (over ? [] : reader.read(data, event).filter(isNews)),
    end: () => (over ? [] : reader.end().filter(isNews)),
  }
}
