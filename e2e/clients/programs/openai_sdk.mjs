import OpenAI from 'openai'
import { loop, serve } from './harness.mjs'

const clientOf = ({ url, key }) => new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })

const plain = async (task) => {
  const client = clientOf(task)
  if (task.api === 'responses') {
    const { output_text: text } = await client.responses.create({ model: task.model, input: task.question })
    return text
  }
  const messages = [{ role: 'user', content: task.question }]
  const { choices } = await client.chat.completions.create({ model: task.model, messages })
  return choices[0].message.content
}

/** The helper gives back what it has gathered, members that it does not know included. */
const chatLoop = (task) => {
  const client = clientOf(task)
  const messages = [
    { role: 'system', content: 'Be careful.' },
    { role: 'user', content: task.question },
  ]
  const tools = task.tools.map((tool) => ({ type: 'function', function: tool }))
  const turn = async () => {
    let thought = ''
    const stream = client.chat.completions.stream({
      model: task.model,
      messages,
      tools,
      reasoning_effort: 'medium',
      stream_options: { include_usage: true },
    })
    stream.on('chunk', ({ choices }) => {
      thought += choices[0]?.delta.reasoning_content ?? ''
    })
    const { choices } = await stream.finalChatCompletion()
    const { message } = choices[0]
    const { parsed: _parsed, ...given } = message
    messages.push(given)
    const calls = (message.tool_calls ?? []).map(({ id, function: made }) => ({
      id,
      name: made.name,
      input: JSON.parse(made.arguments),
    }))
    for (const call of given.tool_calls ?? []) delete call.function.parsed_arguments
    return { text: message.content ?? '', thought, calls }
  }
  return loop(turn, (calls) => {
    for (const { id, result } of calls) messages.push({ role: 'tool', tool_call_id: id, content: result })
  })
}

const responsesLoop = (task) => {
  const client = clientOf(task)
  const input = [{ role: 'user', content: task.question }]
  const tools = task.tools.map((tool) => ({ type: 'function', strict: false, ...tool }))
  const turn = async () => {
    const stream = client.responses.stream({
      model: task.model,
      instructions: 'Be careful.',
      input,
      tools,
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'medium', summary: 'auto' },
    })
    const { output, output_text: text } = await stream.finalResponse()
    let thought = ''
    const calls = []
    for (const { parsed_arguments: _parsed, ...item } of output) {
      input.push(
        item.type === 'message' ? { ...item, content: item.content.map(({ parsed: _part, ...part }) => part) } : item,
      )
      if (item.type === 'reasoning') thought += item.summary.map((part) => part.text).join('')
      if (item.type === 'function_call')
        calls.push({ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) })
    }
    return { text: text ?? '', thought, calls }
  }
  return loop(turn, (calls) => {
    for (const { id, result } of calls) input.push({ type: 'function_call_output', call_id: id, output: result })
  })
}

serve({
  plain,
  loop: (task) => (task.api === 'responses' ? responsesLoop(task) : chatLoop(task)),
  embeddings: async (task) => {
    const client = clientOf(task)
    const { data, usage } = await client.embeddings.create({
      model: task.model,
      input: ['a', 'b'],
      encoding_format: 'float',
    })
    return [data.map(({ embedding }) => embedding.length), usage.total_tokens]
  },
  models: async (task) => {
    const { data } = await clientOf(task).models.list()
    return data.some(({ id }) => id === task.model)
  },
  count: async (task) => {
    const { input_tokens: count } = await clientOf(task).responses.inputTokens.count({ model: task.model, input: 'Hi' })
    return count > 0
  },
})
