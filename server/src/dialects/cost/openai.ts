import { dataEvent } from '../../lib/sse.ts'
import { defined, isObject, type JsonObject, objectsOf } from '../conversation/json.ts'
import { writeUsage } from '../openai-chat/usage.ts'
import type { CostPlace } from './cost-place.ts'

const isFinished = ({ finish_reason: reason }: JsonObject): boolean => typeof reason === 'string' && reason !== ''

/** Chunks with contents may count, too: the last one has no choices, or finishes one. Events of pictures and sound have no choices. */
const mayBeLast = ({ choices }: JsonObject): boolean => {
  const all = objectsOf(choices)
  return all.length === 0 || all.some(isFinished)
}

/** The last events of pictures, transcripts and speech, which have the usage where it is reported. */
const ends = [
  'image_generation.completed',
  'image_edit.completed',
  'transcript.text.done',
  'speech.audio.done',
] as const

const isEnd = ({ type }: JsonObject): boolean => ends.some((end) => end === type)

/** Chat completions, completions, and OpenAI's calls beside them. */
export const openaiCost: CostPlace = {
  inAnswer: ['usage'],
  marks: ['"usage"', ...ends],
  inEvent: (event) => (isEnd(event) || (isObject(event.usage) && mayBeLast(event)) ? ['usage'] : undefined),
  all: [['usage']],
  isEnd: (payload) => payload === '[DONE]',
  usage: writeUsage,
  event(usage, { id, object, created, model }) {
    const head =
      typeof object === 'string'
        ? JSON.stringify({ ...defined({ id, object, created, model }), choices: [] })
        : JSON.stringify({ type: 'usage' })
    return dataEvent(`${head.slice(0, -1)},"usage":${usage}}`)
  },
}
