import { membersOf, parsedJson } from '../../../src/dialects/conversation/json.ts'
import type { CostPlace } from '../../../src/dialects/cost/cost-place.ts'
import { dataEvent } from '../../../src/lib/sse.ts'
import { writeFee } from './answer.ts'

export const costPlace: CostPlace = {
  inAnswer: ['fee'],
  marks: ['"stop"'],
  inEvent: ({ stop }) => (stop === true ? ['fee'] : undefined),
  all: [['fee']],
  isEnd: (payload) => membersOf(parsedJson(payload)).stop === true,
  usage: writeFee,
  event: (fee) => dataEvent(`{"fee":${fee}}`),
}
