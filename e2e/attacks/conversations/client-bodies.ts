import { anthropicDialect } from '../../../server/src/dialects/anthropic/dialect.ts'
import type { Dialect } from '../../../server/src/dialects/dialect.ts'
import { geminiDialect } from '../../../server/src/dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../../server/src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../../server/src/dialects/openai-responses/dialect.ts'
import type { Bit, Turn } from './messy-conversations.ts'

/** A conversation as a client of each dialect sends it. */

type Json = Record<string, unknown>

export interface ClientBody {
  readonly dialect: Dialect
  readonly path: string
  readonly body: (turns: readonly Turn[], model: string) => Json
}

export const png = 'iVBORw0KGgo='
const url = `data:image/png;base64,${png}`
const schema = { type: 'object', properties: { where: { type: 'string' } } }
const names = ['tool_0', 'tool_1', 'tool_2']
const textsIn = (bits: readonly Bit[]): string => bits.map(({ text }) => text).join('')

const chatMessages = (turn: Turn): Json[] => {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'system', content: turn.text }]
    case 'user':
      return [
        {
          role: 'user',
          content: turn.bits.map(({ kind, text }) =>
            kind === 'text' ? { type: 'text', text } : { type: 'image_url', image_url: { url } },
          ),
        },
      ]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: turn.texts.length === 0 ? null : turn.texts.join(''),
          ...(turn.thought === undefined ? {} : { reasoning_content: turn.thought }),
          ...(turn.calls.length === 0
            ? {}
            : {
                tool_calls: turn.calls.map(({ id, name, where }) => ({
                  id,
                  type: 'function',
                  function: { name, arguments: JSON.stringify({ where }) },
                })),
              }),
        },
      ]
    case 'results':
      return turn.results.map(({ id, bits }) => ({ role: 'tool', tool_call_id: id, content: textsIn(bits) }))
  }
}

const chat = (turns: readonly Turn[], model: string): Json => ({
  model,
  messages: turns.flatMap(chatMessages),
  tools: names.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
})

const items = (turn: Turn): Json[] => {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'developer', content: turn.text }]
    case 'user':
      return [
        {
          role: 'user',
          content: turn.bits.map(({ kind, text }) =>
            kind === 'text' ? { type: 'input_text', text } : { type: 'input_image', image_url: url },
          ),
        },
      ]
    case 'assistant':
      return [
        ...(turn.thought === undefined
          ? []
          : [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: turn.thought }] }]),
        ...turn.texts.map((text) => ({
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text, annotations: [] }],
        })),
        ...turn.calls.map(({ id, name, where }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify({ where }),
        })),
      ]
    case 'results':
      return turn.results.map(({ id, bits }) => ({
        type: 'function_call_output',
        call_id: id,
        output: bits.some(({ kind }) => kind === 'picture')
          ? bits.map(({ kind, text }) =>
              kind === 'text' ? { type: 'input_text', text } : { type: 'input_image', image_url: url },
            )
          : textsIn(bits),
      }))
  }
}

const responses = (turns: readonly Turn[], model: string): Json => ({
  model,
  store: false,
  input: turns.flatMap(items),
  tools: names.map((name) => ({ type: 'function', name, parameters: schema, strict: false })),
})

const block = ({ kind, text }: Bit): Json =>
  kind === 'text'
    ? { type: 'text', text }
    : { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }

const message = (turn: Turn): Json => {
  switch (turn.kind) {
    case 'system':
      return { role: 'system', content: turn.text }
    case 'user':
      return { role: 'user', content: turn.bits.map(block) }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(turn.thought === undefined ? [] : [{ type: 'thinking', thinking: turn.thought, signature: 'SIG' }]),
          ...turn.texts.map((text) => ({ type: 'text', text })),
          ...turn.calls.map(({ id, name, where }) => ({ type: 'tool_use', id, name, input: { where } })),
        ],
      }
    case 'results':
      return {
        role: 'user',
        content: turn.results.map(({ id, bits }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: bits.map(block),
        })),
      }
  }
}

const messages = (turns: readonly Turn[], model: string): Json => ({
  model,
  max_tokens: 50,
  messages: turns.map(message),
  tools: names.map((name) => ({ name, input_schema: schema })),
})

const part = ({ kind, text }: Bit): Json =>
  kind === 'text' ? { text } : { inlineData: { mimeType: 'image/png', data: png } }

const content = (turn: Turn): Json[] => {
  switch (turn.kind) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', parts: turn.bits.map(part) }]
    case 'assistant':
      return [
        {
          role: 'model',
          parts: [
            ...(turn.thought === undefined ? [] : [{ text: turn.thought, thought: true }]),
            ...turn.texts.map((text) => ({ text })),
            ...turn.calls.map(({ name, where }) => ({ functionCall: { name, args: { where } } })),
          ],
        },
      ]
    case 'results':
      return [
        {
          role: 'user',
          parts: turn.results.map(({ name, bits }) => ({
            functionResponse: { name, response: { output: textsIn(bits) } },
          })),
        },
      ]
  }
}

const contents = (turns: readonly Turn[]): Json => {
  const system = turns.flatMap((turn) => (turn.kind === 'system' ? [{ text: turn.text }] : []))
  return {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    contents: turns.flatMap(content),
    tools: [{ functionDeclarations: names.map((name) => ({ name, parameters: schema })) }],
  }
}

export const clientBodies: readonly ClientBody[] = [
  { dialect: openaiChatDialect, path: '/v1/chat/completions', body: chat },
  { dialect: openaiResponsesDialect, path: '/v1/responses', body: responses },
  { dialect: anthropicDialect, path: '/v1/messages', body: messages },
  { dialect: geminiDialect, path: '/v1beta/models/m:generateContent', body: contents },
]
