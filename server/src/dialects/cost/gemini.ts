import { dataEvent } from '../../lib/sse.ts'
import { defined, isObject, type JsonObject, membersOf, objectsOf } from '../conversation/json.ts'
import { writeUsage } from '../gemini/answer.ts'
import type { CostPlace } from './cost-place.ts'

/** Every event reports the usage so far: the last one has a finish reason, or no content. */
const mayBeLast = ({ candidates, promptFeedback }: JsonObject): boolean => {
  const all = objectsOf(candidates)
  return (
    all.length === 0 ||
    all.some(({ finishReason }) => typeof finishReason === 'string') ||
    membersOf(promptFeedback).blockReason !== undefined
  )
}

/** generateContent. Clients take the last `usageMetadata` of a stream. */
export const geminiCost: CostPlace = {
  inAnswer: ['usageMetadata'],
  marks: ['"usageMetadata"'],
  inEvent: (event) => (isObject(event.usageMetadata) && mayBeLast(event) ? ['usageMetadata'] : undefined),
  all: [['usageMetadata']],
  isEnd: () => false,
  usage: writeUsage,
  event(usage, { modelVersion, responseId }) {
    const head = JSON.stringify(defined({ modelVersion, responseId }))
    return dataEvent(`{"usageMetadata":${usage}${head === '{}' ? '' : `,${head.slice(1, -1)}`}}`)
  },
}
