import { assistantBegan, resultOf, seeNext } from '../../../server/src/dialects/conversation/gaps/filler-texts.ts'
import { isJson, type Json } from '../../strict/model.ts'

/** Words of a request that no client has said. */

/** Members whose values are names and data. */
const names = new Set([
  ...[
    'role',
    'type',
    'id',
    'name',
    'call_id',
    'tool_call_id',
    'tool_use_id',
    'toolUseId',
    'tool_name',
    'status',
    'detail',
  ],
  ...[
    'format',
    'mimeType',
    'media_type',
    'signature',
    'thoughtSignature',
    'data',
    'bytes',
    'url',
    'image_url',
    'images',
  ],
])

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isJson(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => (names.has(name) ? [] : textsIn(inner)))
}

const pointer = new RegExp(resultOf('[a-z0-9_]*'), 'g')

/** Remainder of the turns without the words of the conversation and the few that the gateway may add. */
export const unsaidIn = (body: Json): string[] =>
  textsIn([body.messages, body.input, body.contents, body.system, body.systemInstruction, body.instructions])
    .map((text) =>
      [assistantBegan, seeNext]
        .reduce((left, own) => left.replaceAll(own, ''), text)
        .replaceAll(pointer, '')
        .replaceAll(/[b-df-hj-np-tv-z]{6}ü|spoken|\\[nt]|[\s{}":]/g, '')
        .replaceAll(/^(where|output|result|error)+$/g, ''),
    )
    .filter((text) => text !== '')
