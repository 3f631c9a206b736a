import Anthropic from '@anthropic-ai/sdk'
import type {
  CacheControlEphemeral,
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { type Agent, type AgentPlace, loop, type Turn } from './agent.ts'
import { longPrompt, offered } from './tools.ts'
import { run } from './workshop.ts'

/** As Claude Code asks: marks for the cache, thoughts with a budget, and everything given back as it came. */

const cache_control: CacheControlEphemeral = { type: 'ephemeral' }

const resultOf = (call: Turn['calls'][number]): ToolResultBlockParam => {
  const { text, picture, failed } = run(call)
  const result = { type: 'tool_result' as const, tool_use_id: call.id }
  if (failed) return { ...result, content: text, is_error: true }
  if (picture === undefined) return { ...result, content: text }
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: picture }
  return {
    ...result,
    content: [
      { type: 'text', text },
      { type: 'image', source },
    ],
  }
}

/** The last block of the last message is marked. */
const marked = (messages: readonly MessageParam[]): MessageParam[] =>
  messages.map((message, at) => {
    if (at < messages.length - 1 || typeof message.content === 'string') return message
    const blocks = message.content as (ToolResultBlockParam | Anthropic.TextBlockParam)[]
    const content = blocks.map(
      (block, n): ContentBlockParam => (n === blocks.length - 1 ? { ...block, cache_control } : block),
    )
    return { role: 'user', content }
  })

export const openClaudeCode = (place: AgentPlace): Agent => {
  const { url, key } = place
  const client = new Anthropic({
    baseURL: url,
    authToken: key,
    apiKey: null,
    maxRetries: 0,
    defaultHeaders: { 'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14' },
  })
  const messages: MessageParam[] = []

  const step = async (): Promise<Turn> => {
    const stream = client.messages.stream({
      model: place.model,
      max_tokens: 32_000,
      system: [
        { type: 'text', text: 'You are Claude Code.', cache_control },
        { type: 'text', text: longPrompt, cache_control },
      ],
      messages: marked(messages),
      tools: offered.map(({ name, description, schema }) => ({
        name,
        description,
        input_schema: schema as Anthropic.Tool.InputSchema,
      })),
      thinking: { type: 'enabled', budget_tokens: 10_000 },
      temperature: 1,
      metadata: { user_id: 'user_1_session_2' },
    })
    const { content } = await stream.finalMessage()
    messages.push({ role: 'assistant', content })
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? [block] : []))
    if (calls.length > 0) messages.push({ role: 'user', content: calls.map(resultOf) })
    return {
      thought: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    }
  }

  return {
    ask(question) {
      messages.push({ role: 'user', content: [{ type: 'text', text: question }] })
      return loop(step)
    },
  }
}
