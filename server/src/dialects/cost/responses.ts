import { membersOf, parsedJson, without } from '../conversation/json.ts'
import { writeUsage } from '../openai-responses/answer.ts'
import type { CostPlace } from './cost-place.ts'

const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

const itself: ReadonlySet<string> = new Set(['usage'])

/** Responses: the last event repeats the whole response. */
export const responsesCost: CostPlace = {
  inAnswer: ['usage'],
  marks: ['response.completed', 'response.incomplete', 'response.failed'],
  inEvent: ({ type }) => (ends.has(type) ? ['response', 'usage'] : undefined),
  all: [['response', 'usage']],
  isEnd: (payload) => payload.includes('"response.') && ends.has(membersOf(parsedJson(payload)).type),
  usage: writeUsage,
  // Only answers that break off lack an end. OpenAI's library refuses types that it does not know, so it is one that repeats the response.
  event(usage, { response }) {
    const head = JSON.stringify({
      type: 'response.in_progress',
      response: { ...without(membersOf(response), itself), usage: 0 },
    })
    return `event: response.in_progress\ndata: ${head.slice(0, -'0}}'.length)}${usage}}}\n\n`
  },
}
