import OpenAI from 'openai'
import type { ResponseInputItem, ResponseOutputItem, Tool } from 'openai/resources/responses/responses'
import { type Agent, type AgentPlace, loop, type Turn } from './agent.ts'
import { longPrompt, offered } from './tools.ts'
import { run } from './workshop.ts'

/** As Codex asks: nothing kept at the provider, thoughts encrypted, and a tool that takes free text. */

const tools: Tool[] = [
  ...offered.map(
    ({ name, description, schema }): Tool => ({
      type: 'function',
      name,
      description,
      parameters: { ...schema },
      strict: false,
    }),
  ),
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files. This is a FREEFORM tool, so do not wrap the patch in JSON.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
  },
]

/** Without ids: nothing is stored that they could name. */
const givenBack = (item: ResponseOutputItem): ResponseInputItem => {
  const { id: _, ...rest } = item as ResponseOutputItem & { id?: string }
  return rest as ResponseInputItem
}

const resultOf = (call: Turn['calls'][number]): ResponseInputItem => {
  const { text, picture } = run(call)
  if (typeof call.input === 'string') return { type: 'custom_tool_call_output', call_id: call.id, output: text }
  if (picture === undefined) return { type: 'function_call_output', call_id: call.id, output: text }
  const image = { type: 'input_image' as const, image_url: `data:image/png;base64,${picture}` }
  return { type: 'function_call_output', call_id: call.id, output: [{ type: 'input_text', text }, image] }
}

const callsOf = (item: ResponseOutputItem): Turn['calls'] => {
  if (item.type === 'custom_tool_call') return [{ id: item.call_id, name: item.name, input: item.input }]
  if (item.type !== 'function_call') return []
  return [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) as unknown }]
}

const thoughtOf = (item: ResponseOutputItem): string =>
  item.type === 'reasoning' ? item.summary.map(({ text }) => text).join('') : ''

const textOf = (item: ResponseOutputItem): string =>
  item.type === 'message' ? item.content.map((part) => (part.type === 'output_text' ? part.text : '')).join('') : ''

export const openCodex = (place: AgentPlace): Agent => {
  const { url, key } = place
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
  const input: ResponseInputItem[] = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Sandbox: read-only — 只读' }] },
  ]

  const step = async (): Promise<Turn> => {
    const stream = await client.responses.create({
      model: place.model,
      instructions: longPrompt,
      input,
      tools,
      tool_choice: 'auto',
      parallel_tool_calls: true,
      reasoning: { effort: 'medium', summary: 'auto' },
      store: false,
      stream: true,
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'session-1',
    })
    const items: ResponseOutputItem[] = []
    let whole: ResponseOutputItem[] = []
    for await (const event of stream) {
      if (event.type === 'response.output_item.done') items.push(event.item)
      if (event.type === 'response.completed') whole = event.response.output
    }
    if (JSON.stringify(items) !== JSON.stringify(whole)) throw new Error('the whole is not the sum of its items')
    input.push(...items.map(givenBack))
    const calls = items.flatMap(callsOf)
    input.push(...calls.map(resultOf))
    return { thought: items.map(thoughtOf).join(''), text: items.map(textOf).join(''), calls }
  }

  return {
    ask(question) {
      input.push({ type: 'message', role: 'user', content: [{ type: 'input_text', text: question }] })
      return loop(step)
    },
  }
}
