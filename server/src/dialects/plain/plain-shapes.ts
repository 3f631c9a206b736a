import { numberOf } from '../conversation/request-fields.ts'
import {
  type PlainShape,
  type PlainValue,
  plainBound,
  plainFlag,
  plainList,
  plainNumber,
  plainObject,
  plainOneOf,
  plainText,
  plainTexts,
} from './plain-body.ts'

const role =
  (...roles: readonly string[]): PlainValue =>
  (value) =>
    typeof value === 'string' && roles.includes(value) ? 0 : -1

const word =
  (...words: readonly string[]): PlainValue =>
  (value) =>
    typeof value === 'string' && words.includes(value) ? 0 : -1

const object = (members: Readonly<Record<string, PlainValue>>): PlainValue =>
  plainObject(new Map(Object.entries(members)))

/** Chat completions. */
export const plainChat: PlainShape = {
  members: new Map<string, PlainValue>([
    ['model', plainText],
    ['messages', plainList(object({ role: role('system', 'developer', 'user', 'assistant'), content: plainText }))],
    ['stream', plainFlag],
    ['stream_options', object({ include_usage: plainFlag })],
    ['max_tokens', plainBound],
    ['max_completion_tokens', plainBound],
    ['temperature', plainNumber],
    ['top_p', plainNumber],
    ['presence_penalty', plainNumber],
    ['frequency_penalty', plainNumber],
    ['seed', plainNumber],
    ['stop', plainTexts],
  ]),
  maxTokens: ({ max_tokens: tokens, max_completion_tokens: completion }) =>
    Math.max(numberOf(tokens), numberOf(completion)),
}

const textPart = object({ type: word('text'), text: plainText })

/** Anthropic's Messages. */
export const plainMessages: PlainShape = {
  members: new Map<string, PlainValue>([
    ['model', plainText],
    [
      'messages',
      plainList(object({ role: role('user', 'assistant'), content: plainOneOf(plainText, plainList(textPart)) })),
    ],
    ['system', plainOneOf(plainText, plainList(textPart))],
    ['stream', plainFlag],
    ['max_tokens', plainBound],
    ['temperature', plainNumber],
    ['top_p', plainNumber],
    ['top_k', plainNumber],
    ['stop_sequences', plainTexts],
  ]),
  maxTokens: ({ max_tokens: tokens }) => numberOf(tokens),
}

const inputParts = plainList(object({ type: word('input_text', 'output_text'), text: plainText }))

/** OpenAI's Responses, whether they are stored or not. */
export const plainResponses: PlainShape = {
  members: new Map<string, PlainValue>([
    ['model', plainText],
    [
      'input',
      plainOneOf(
        plainText,
        plainList(
          object({
            type: word('message'),
            role: role('system', 'developer', 'user', 'assistant'),
            content: plainOneOf(plainText, inputParts),
          }),
        ),
      ),
    ],
    ['instructions', plainText],
    ['stream', plainFlag],
    ['store', plainFlag],
    ['max_output_tokens', plainBound],
    ['temperature', plainNumber],
    ['top_p', plainNumber],
  ]),
  maxTokens: ({ max_output_tokens: tokens }) => numberOf(tokens),
}

const geminiTexts = plainList(object({ text: plainText }))

/** Gemini's contents. The model and whether a stream is wanted stand in the path. */
export const plainContents: PlainShape = {
  members: new Map<string, PlainValue>([
    ['model', plainText],
    ['contents', plainList(object({ role: role('user', 'model'), parts: geminiTexts }))],
    ['systemInstruction', object({ role: role('system', 'user'), parts: geminiTexts })],
    [
      'generationConfig',
      object({
        temperature: plainNumber,
        topP: plainNumber,
        topK: plainNumber,
        maxOutputTokens: plainBound,
        stopSequences: plainTexts,
      }),
    ],
  ]),
  maxTokens: ({ generationConfig: config }) =>
    numberOf((config as { readonly maxOutputTokens?: unknown } | undefined)?.maxOutputTokens),
}
