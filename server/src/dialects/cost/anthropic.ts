import { writeUsage } from '../anthropic/answer.ts'
import { isObject, membersOf, parsedJson } from '../conversation/json.ts'
import type { CostPlace } from './cost-place.ts'

/** Messages: the last `message_delta` reports the usage of the whole message. */
export const anthropicCost: CostPlace = {
  inAnswer: ['usage'],
  marks: ['message_delta', 'message_start'],
  inEvent: ({ type, delta }) => (type === 'message_delta' && isObject(delta) ? ['usage'] : undefined),
  all: [['usage'], ['message', 'usage']],
  isEnd: (payload) => payload.includes('message_stop') && membersOf(parsedJson(payload)).type === 'message_stop',
  usage: writeUsage,
  event: (usage) =>
    `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":null,"stop_sequence":null},"usage":${usage}}\n\n`,
}
