import OpenAI from 'openai'
import type {
  ChatCompletionChunk,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { type Agent, type AgentPlace, loop, type Turn } from './agent.ts'
import { longPrompt, offered } from './tools.ts'
import { run } from './workshop.ts'

/** An agent of chat completions that gives back what it was told besides, as OpenRouter and DeepSeek ask for it. */

interface Extras {
  reasoning_content?: string
  reasoning_details?: object[]
}

type Call = ChatCompletionMessageFunctionToolCall & { extra_content?: object }

interface Message extends Extras {
  role: 'assistant'
  content: string | null
  tool_calls?: Call[]
}

const addChunk = (message: Message, { choices }: ChatCompletionChunk): void => {
  const delta = choices[0]?.delta as (ChatCompletionChunk.Choice.Delta & Extras) | undefined
  if (delta === undefined) return
  if (delta.content) message.content = (message.content ?? '') + delta.content
  if (delta.reasoning_content) message.reasoning_content = (message.reasoning_content ?? '') + delta.reasoning_content
  if (delta.reasoning_details)
    message.reasoning_details = [...(message.reasoning_details ?? []), ...delta.reasoning_details]
  for (const { index, id = '', function: definition, ...more } of delta.tool_calls ?? []) {
    message.tool_calls ??= []
    const begun = message.tool_calls[index] ?? { id, type: 'function', function: { name: '', arguments: '' } }
    begun.function.name += definition?.name ?? ''
    begun.function.arguments += definition?.arguments ?? ''
    message.tool_calls[index] =
      'extra_content' in more ? { ...begun, extra_content: more.extra_content as object } : begun
  }
}

/** Message as an agent without a field for thoughts returns it. */
const withoutThoughts = ({ reasoning_content: _content, reasoning_details: _details, ...message }: Message): Message =>
  message

/** `gives` makes what is given back of each answer. */
const openAgent = (place: AgentPlace, gives: (message: Message) => Message): Agent => {
  const { url, key } = place
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: longPrompt }]

  const step = async (): Promise<Turn> => {
    const stream = await client.chat.completions.create({
      model: place.model,
      messages,
      tools: offered.map(({ name, description, schema }) => ({
        type: 'function',
        function: { name, description, parameters: { ...schema } },
      })),
      parallel_tool_calls: true,
      reasoning_effort: 'medium',
      stream: true,
      stream_options: { include_usage: true },
    })
    const message: Message = { role: 'assistant', content: null }
    for await (const chunk of stream) addChunk(message, chunk)
    messages.push(gives(message))
    const calls = (message.tool_calls ?? []).map(({ id, function: definition }) => ({
      id,
      name: definition.name,
      input: JSON.parse(definition.arguments) as unknown,
    }))
    for (const call of calls) messages.push({ role: 'tool', tool_call_id: call.id, content: run(call).text })
    return { thought: message.reasoning_content ?? '', text: message.content ?? '', calls }
  }

  return {
    ask(question) {
      messages.push({ role: 'user', content: question })
      return loop(step)
    },
  }
}

export const openChatAgent = (place: AgentPlace): Agent => openAgent(place, (message) => message)

/** As OpenCode and many others: what the model thought is shown, and not given back. */
export const openForgetfulAgent = (place: AgentPlace): Agent => openAgent(place, withoutThoughts)
