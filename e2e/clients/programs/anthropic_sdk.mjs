import Anthropic from '@anthropic-ai/sdk'
import { loop, serve } from './harness.mjs'

const clientOf = ({ url, key }) => new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })

const textOf = (blocks) => blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')

const plain = async (task) => {
  const messages = [{ role: 'user', content: task.question }]
  const { content } = await clientOf(task).messages.create({ model: task.model, max_tokens: 3000, messages })
  return textOf(content)
}

const toolLoop = (task) => {
  const client = clientOf(task)
  const messages = [{ role: 'user', content: task.question }]
  const tools = task.tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }))
  const turn = async () => {
    const { content } = await client.messages
      .stream({
        model: task.model,
        max_tokens: 3000,
        system: 'Be careful.',
        messages,
        tools,
        thinking: { type: 'enabled', budget_tokens: 1024 },
      })
      .finalMessage()
    messages.push({ role: 'assistant', content })
    return {
      text: textOf(content),
      thought: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
      calls: content.filter(({ type }) => type === 'tool_use'),
    }
  }
  return loop(turn, (calls) => {
    const content = calls.map(({ id, result }) => ({ type: 'tool_result', tool_use_id: id, content: result }))
    messages.push({ role: 'user', content })
  })
}

serve({
  plain,
  loop: toolLoop,
  count: async (task) => {
    const messages = [{ role: 'user', content: task.question }]
    const { input_tokens: count } = await clientOf(task).messages.countTokens({ model: task.model, messages })
    return count > 0
  },
  models: async (task) => {
    const { data } = await clientOf(task).models.list({ limit: 100 })
    return data.some(({ id }) => id === task.model)
  },
})
