import { membersOf, parsedJson } from '../conversation/json.ts'
import { writeUsage } from '../openai-responses/answer.ts'
import type { CostPlace } from './cost-place.ts'

const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Responses: the last event repeats the whole response. */
export const responsesCost: CostPlace = {
  inAnswer: ['usage'],
  marks: ['response.completed', 'response.incomplete', 'response.failed'],
  inEvent: ({ type }) => (ends.has(type) ? ['response', 'usage'] : undefined),
  all: [['response', 'usage']],
  isEnd: (payload) => payload.includes('"response.') && ends.has(membersOf(parsedJson(payload)).type),
  usage: writeUsage,
  // Only for answers that break off: clients skip types that they do not know.
  event: (usage) => `event: response.usage\ndata: {"type":"response.usage","usage":${usage}}\n\n`,
}
