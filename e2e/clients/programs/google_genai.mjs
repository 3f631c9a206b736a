import { GoogleGenAI } from '@google/genai'
import { loop, serve } from './harness.mjs'

const clientOf = ({ url, key }) =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url, retryOptions: { attempts: 1 } } })

const plain = async (task) => {
  const { text } = await clientOf(task).models.generateContent({ model: task.model, contents: task.question })
  return text
}

const toolLoop = (task) => {
  const client = clientOf(task)
  const contents = [{ role: 'user', parts: [{ text: task.question }] }]
  const functionDeclarations = task.tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }))
  const config = {
    systemInstruction: 'Be careful.',
    tools: [{ functionDeclarations }],
    thinkingConfig: { includeThoughts: true },
  }
  const turn = async () => {
    const parts = []
    for await (const { candidates = [] } of await client.models.generateContentStream({
      model: task.model,
      contents,
      config,
    }))
      for (const { content } of candidates) parts.push(...(content?.parts ?? []))
    contents.push({ role: 'model', parts })
    const textOf = (isThought) =>
      parts.map((part) => (Boolean(part.thought) === isThought ? (part.text ?? '') : '')).join('')
    return {
      text: textOf(false),
      thought: textOf(true),
      calls: parts.flatMap(({ functionCall }) =>
        functionCall === undefined ? [] : [{ id: functionCall.id, name: functionCall.name, input: functionCall.args }],
      ),
    }
  }
  return loop(turn, (calls) => {
    const parts = calls.map(({ id, name, result }) => ({
      functionResponse: { id, name, response: { output: result } },
    }))
    contents.push({ role: 'user', parts })
  })
}

serve({
  plain,
  loop: toolLoop,
  count: async (task) => {
    const { totalTokens } = await clientOf(task).models.countTokens({ model: task.model, contents: task.question })
    return totalTokens > 0
  },
  embeddings: async (task) => {
    const { embeddings } = await clientOf(task).models.embedContent({ model: task.model, contents: ['a', 'b'] })
    return embeddings.map(({ values }) => values.length)
  },
  models: async (task) => {
    for await (const { name } of await clientOf(task).models.list()) if (name === `models/${task.model}`) return true
    return false
  },
})
