import { expect, it } from 'vitest'
import { plainCapabilities } from '../../providers/dialects/plain-capabilities.ts'
import { adapted } from '../adapted.ts'
import { anthropicMessages } from '../anthropic/dialect.ts'
import { bedrockConverse } from '../bedrock/dialect.ts'
import { objectsOf } from '../conversation/json.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { geminiContent, geminiDialect } from '../gemini/dialect.ts'
import { ollamaChat } from '../ollama/dialect.ts'
import { openaiChat, openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../openai-responses/dialect.ts'

/** A list of allowed tools binds the model, whether its provider takes such a list or not. */

const ask = (client: Dialect, upstream: UpstreamDialect, body: Record<string, unknown>, model = 'some-model') => {
  const unsupported = createUnsupportedFields()
  const conversation = client.readRequest(body, { model, stream: false })
  const { conversation: within, dialect } = adapted(conversation, upstream, unsupported)
  return { body: dialect.writeRequest(within, unsupported), unsupported: unsupported.list() }
}

const functionTool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })
const chat = (mode: 'auto' | 'required') => ({
  messages: [{ role: 'user', content: 'hi' }],
  tools: ['read', 'write', 'delete'].map(functionTool),
  tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: [functionTool('read'), functionTool('write')] } },
})

const google = (mode: string, more: readonly object[] = []) => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  tools: [
    { functionDeclarations: ['read', 'write', 'delete'].map((name) => ({ name, parameters: { type: 'OBJECT' } })) },
    ...more,
  ],
  toolConfig: { functionCallingConfig: { mode, allowedFunctionNames: ['read', 'write'] } },
})

it('Claude gets only the allowed tools', () => {
  for (const [mode, type] of [
    ['required', 'any'],
    ['auto', 'auto'],
  ] as const) {
    const { body, unsupported } = ask(openaiChatDialect, anthropicMessages(), chat(mode), 'claude-sonnet-4-5')
    expect(objectsOf(body.tools).map(({ name }) => name)).toEqual(['read', 'write'])
    expect(body.tool_choice).toEqual({ type })
    expect(unsupported).toEqual([])
  }
})

it('so do other providers without such lists, from clients of every dialect', () => {
  const plain = ask(geminiDialect, openaiChat(plainCapabilities), google('ANY'))
  expect(plain.body).toMatchObject({ tool_choice: 'required', tools: [functionTool('read'), functionTool('write')] })
  const validated = ask(geminiDialect, openaiChat(plainCapabilities), google('VALIDATED'))
  expect(validated.body).toMatchObject({ tool_choice: 'auto', tools: [functionTool('read'), functionTool('write')] })
  const converse = ask(openaiChatDialect, bedrockConverse, chat('required'))
  expect(converse.body.toolConfig).toMatchObject({
    tools: [{ toolSpec: { name: 'read' } }, { toolSpec: { name: 'write' } }],
    toolChoice: { any: {} },
  })
  const local = ask(openaiChatDialect, ollamaChat, chat('auto'))
  expect(objectsOf(local.body.tools)).toHaveLength(2)
  expect(local.unsupported).toEqual([])
})

it('providers that take the list get all tools and the list', () => {
  const openai = ask(geminiDialect, openaiChat(), google('ANY'))
  expect(objectsOf(openai.body.tools)).toHaveLength(3)
  expect(openai.body.tool_choice).toMatchObject({ type: 'allowed_tools', allowed_tools: { mode: 'required' } })
  const { body } = ask(openaiChatDialect, geminiContent(), chat('required'), 'gemini-3-pro')
  expect(body.tools).toMatchObject([
    { functionDeclarations: [{ name: 'read' }, { name: 'write' }, { name: 'delete' }] },
  ])
  expect(body.toolConfig).toEqual({ functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['read', 'write'] } })
})

it('a search stays beside Google’s functions, and goes where a list of OpenAI’s does not name it', () => {
  const searching = ask(geminiDialect, openaiResponses, google('ANY', [{ googleSearch: {} }]), 'gpt-5.2')
  expect(objectsOf(searching.body.tools).map(({ type, name }) => name ?? type)).toEqual(['read', 'write', 'web_search'])
  const responses = (...tools: readonly object[]) => ({
    input: 'hi',
    tools: [{ type: 'web_search' }, { type: 'function', name: 'read', parameters: { type: 'object' } }],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools },
  })
  const claude = (...tools: readonly object[]) =>
    objectsOf(ask(openaiResponsesDialect, anthropicMessages(), responses(...tools), 'claude-opus-4-6').body.tools)
  expect(claude({ type: 'function', name: 'read' }).map(({ name }) => name)).toEqual(['read'])
  expect(claude({ type: 'web_search' }).map(({ name }) => name)).toEqual(['web_search'])
})
