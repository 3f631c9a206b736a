import { isObject, type JsonObject, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import type { Asking } from '../../relay/ports.ts'

/** A request of texts alone, which every model takes. */
export const plainKind = 'plain'

/** Members that every engine knows. */
const usual: ReadonlySet<string> = new Set([
  ...[
    'model',
    'messages',
    'input',
    'contents',
    'prompt',
    'system',
    'instructions',
    'system_instruction',
    'systemInstruction',
  ],
  ...['stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'temperature', 'top_p'],
  ...[
    'user',
    'metadata',
    'store',
    'generationConfig',
    'generation_config',
    'stop',
    'stop_sequences',
    'prompt_cache_key',
  ],
])
const texts: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', 'message', 'thinking', 'reasoning'])
const framing: ReadonlySet<string> = new Set([
  'type',
  'text',
  'thought',
  'cache_control',
  'role',
  'content',
  'id',
  'status',
  'name',
])

/** Messages whose parts are looked at; a request with more differs by its size. */
const mostMessages = 100
const mostParts = 20
const longestName = 40
const long = 64 * 1024
const veryLong = 1024 * 1024

/** `image_url`, or in Gemini's dialect the name of the member, such as `inlineData`. */
const partKinds = (part: JsonObject): readonly string[] => {
  const type = textOf(part.type)
  if (type !== '') return texts.has(type) ? [] : [type]
  return Object.keys(part).filter((name) => !framing.has(name))
}

const turnKinds = (turn: JsonObject): string[] => {
  const parts = [...objectsOf(turn.content), ...objectsOf(turn.parts)].slice(0, mostParts).flatMap(partKinds)
  const type = textOf(turn.type)
  if (type !== '' && !texts.has(type)) parts.push(type)
  if (textOf(turn.role) === 'tool' || Array.isArray(turn.tool_calls)) parts.push('tool_calls')
  return parts
}

const membersBeside = (body: JsonObject): string[] => {
  const settings = body.generationConfig ?? body.generation_config
  const nested = isObject(settings) ? Object.keys(settings).filter((name) => !/^(max|temp|top)/i.test(name)) : []
  return [...Object.keys(body).filter((name) => !usual.has(name)), ...nested]
}

const sizeOf = (bytes: number): string[] => {
  if (bytes < long) return []
  return [bytes < veryLong ? 'long' : 'very long']
}

const conversations = /\/(chat\/completions|messages|responses)$|:(stream)?generateContent$/i

/**
 * Kind of a request: its path if that is no conversation's, its contents beside texts, the settings that not every engine has, and its
 * size. Failures of one kind mean nothing for the others.
 */
export const requestKind = ({ path, body, raw }: Asking): string => {
  const turns = [body.messages, body.input, body.contents].find(Array.isArray) as readonly unknown[] | undefined
  const found = new Set([
    ...(conversations.test(path) ? [] : [path]),
    ...(turns?.length === 0 ? ['empty'] : []),
    ...objectsOf(turns?.slice(0, mostMessages)).flatMap(turnKinds),
    ...membersBeside(body),
    ...sizeOf(raw.length),
  ])
  return found.size === 0
    ? plainKind
    : [...found]
        .map((name) => name.slice(0, longestName))
        .sort()
        .join(' ')
}
