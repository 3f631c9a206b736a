import { CohereClient, CohereClientV2 } from 'cohere-ai'
import { loop, serve } from './harness.mjs'

const optionsOf = ({ url, key }) => ({ token: key, environment: url })
const once = { maxRetries: 0 }

const plain = async (task) => {
  const messages = [{ role: 'user', content: task.question }]
  const { message } = await new CohereClientV2(optionsOf(task)).chat({ model: task.model, messages }, once)
  return (message.content ?? []).map(({ text = '' }) => text).join('')
}

const toolLoop = (task) => {
  const client = new CohereClientV2(optionsOf(task))
  const messages = [
    { role: 'system', content: 'Be careful.' },
    { role: 'user', content: task.question },
  ]
  const tools = task.tools.map((tool) => ({ type: 'function', function: tool }))
  const turn = async () => {
    let text = ''
    let thought = ''
    let toolPlan = ''
    const toolCalls = []
    const stream = await client.chatStream({ model: task.model, messages, tools, thinking: { type: 'enabled' } }, once)
    for await (const { type, delta } of stream) {
      const message = delta?.message
      // Its client hands an error on as the end of a stream.
      if (type === 'message-end' && delta.finishReason === 'ERROR') throw new Error(delta.error)
      if (type === 'content-delta') {
        text += message.content.text ?? ''
        thought += message.content.thinking ?? ''
      } else if (type === 'tool-plan-delta') toolPlan += message.toolPlan
      else if (type === 'tool-call-start') toolCalls.push(structuredClone(message.toolCalls))
      else if (type === 'tool-call-delta') toolCalls.at(-1).function.arguments += message.toolCalls.function.arguments
    }
    messages.push({
      role: 'assistant',
      ...(thought === '' && text === ''
        ? {}
        : {
            content: [
              ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought }]),
              ...(text === '' ? [] : [{ type: 'text', text }]),
            ],
          }),
      ...(toolPlan === '' ? {} : { toolPlan }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    })
    const calls = toolCalls.map(({ id, function: made }) => ({
      id,
      name: made.name,
      input: JSON.parse(made.arguments),
    }))
    return { text: text + toolPlan, thought, calls }
  }
  return loop(turn, (calls) => {
    for (const { id, result } of calls) messages.push({ role: 'tool', toolCallId: id, content: result })
  })
}

serve({
  plain,
  loop: toolLoop,
  v1: async (task) => {
    const { text } = await new CohereClient(optionsOf(task)).chat({ model: task.model, message: task.question }, once)
    return text
  },
  embeddings: async (task) => {
    const { embeddings } = await new CohereClientV2(optionsOf(task)).embed({
      model: task.model,
      texts: ['a', 'b'],
      inputType: 'search_document',
      embeddingTypes: ['float'],
    })
    return embeddings.float.map((vector) => vector.length)
  },
  rerank: async (task) => {
    const client = new CohereClientV2(optionsOf(task))
    const { results } = await client.rerank({ model: task.model, query: 'q', documents: ['a', 'b'], topN: 2 })
    return results.map(({ index }) => index)
  },
  models: async (task) => {
    const { models } = await new CohereClientV2(optionsOf(task)).models.list()
    return models.some(({ name }) => name === task.model)
  },
})
