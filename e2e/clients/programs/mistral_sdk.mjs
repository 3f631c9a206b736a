import { Mistral } from '@mistralai/mistralai'
import { loop, serve } from './harness.mjs'

const clientOf = ({ url, key }) => new Mistral({ apiKey: key, serverURL: url, retryConfig: { strategy: 'none' } })

const plain = async (task) => {
  const messages = [{ role: 'user', content: task.question }]
  const { choices } = await clientOf(task).chat.complete({ model: task.model, messages })
  return choices[0].message.content
}

const toolLoop = (task) => {
  const client = clientOf(task)
  const messages = [
    { role: 'system', content: 'Be careful.' },
    { role: 'user', content: task.question },
  ]
  const tools = task.tools.map((tool) => ({ type: 'function', function: tool }))
  const turn = async () => {
    let text = ''
    const toolCalls = []
    for await (const { data } of await client.chat.stream({ model: task.model, messages, tools }))
      for (const { delta } of data.choices) {
        if (typeof delta.content === 'string') text += delta.content
        // Mistral sends calls whole.
        toolCalls.push(...(delta.toolCalls ?? []))
      }
    messages.push({ role: 'assistant', content: text, ...(toolCalls.length > 0 ? { toolCalls } : {}) })
    const calls = toolCalls.map(({ id, function: made }) => ({
      id,
      name: made.name,
      input: JSON.parse(made.arguments),
    }))
    return { text, calls }
  }
  return loop(turn, (calls) => {
    for (const { id, name, result } of calls) messages.push({ role: 'tool', toolCallId: id, name, content: result })
  })
}

serve({
  plain,
  loop: toolLoop,
  embeddings: async (task) => {
    const { data } = await clientOf(task).embeddings.create({ model: task.model, inputs: ['a', 'b'] })
    return data.map(({ embedding }) => embedding.length)
  },
  middle: async (task) => {
    const { choices } = await clientOf(task).fim.complete({ model: task.model, prompt: 'def add(a, b):', suffix: '\n' })
    return choices[0].message.content
  },
  models: async (task) => {
    const { data } = await clientOf(task).models.list()
    return data.some(({ id }) => id === task.model)
  },
})
