import type { JsonObject } from '../../../src/dialects/conversation/json.ts'
import type { StreamEvent } from '../../../src/dialects/conversation/stream-event.ts'
import type { StreamWriter } from '../../../src/dialects/dialect.ts'
import { dataEvent } from '../../../src/lib/sse.ts'
import { writeFee, writeFinish } from './answer.ts'

const line = (members: JsonObject): string => dataEvent(JSON.stringify(members))

/** A line per event; the fee comes with the last, `{"stop": true}`. */
export const createWriter = (): StreamWriter => {
  let fee: JsonObject | undefined
  return {
    write(event: StreamEvent): string {
      switch (event.kind) {
        case 'start':
          return line({ telegram: event.id, to: event.model })
        case 'text':
          return line({ text: event.text })
        case 'tool_call':
          return line({ no: event.id, office: event.name })
        case 'arguments':
          return line({ order: event.text })
        case 'finish':
          return line({ why: writeFinish(event.finish) })
        case 'usage':
          fee = writeFee(event.usage)
          return ''
        case 'error':
          return line({ fault: { number: event.status ?? 502, message: event.message } })
        case 'end':
          return line({ stop: true, fee })
        default:
          return ''
      }
    },
  }
}
