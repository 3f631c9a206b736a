import { type Content, type FunctionCall, GoogleGenAI, type Part } from '@google/genai'
import { type Agent, type AgentPlace, loop, type Turn } from './agent.ts'
import { longPrompt, offered } from './tools.ts'
import { run } from './workshop.ts'

/** As Gemini CLI asks. Of what it is told it keeps everything but thoughts (geminiChat.ts of google-gemini/gemini-cli). */

const isThird = (model: string): boolean => model.startsWith('gemini-3')

/** Pictures lie in the result where the model takes them there, else beside it. */
const resultOf = ({ id, name, args }: FunctionCall, model: string): Part[] => {
  const { text, picture, failed } = run({ id: id ?? '', name: name ?? '', input: args })
  const response = failed ? { error: text } : { output: text }
  const more: Part[] = picture === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data: picture } }]
  const result = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }), response }
  if (more.length === 0) return [{ functionResponse: result }]
  return isThird(model)
    ? [{ functionResponse: { ...result, parts: more as never } }]
    : [{ functionResponse: result }, ...more]
}

/** Texts in a row become one part; a signature keeps its own. */
const kept = (parts: readonly Part[]): Part[] => {
  const all: Part[] = []
  for (const part of parts) {
    const last = all.at(-1)
    const joins =
      last?.text !== undefined && part.text !== undefined && !part.thoughtSignature && !last.thoughtSignature
    if (part.thought) continue
    if (joins) all[all.length - 1] = { ...last, text: `${last.text}${part.text}` }
    else all.push(part)
  }
  return all
}

export const openGeminiCli = (place: AgentPlace): Agent => {
  const { url, key } = place
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  const contents: Content[] = []

  const step = async (): Promise<Turn> => {
    const { model } = place
    const stream = await client.models.generateContentStream({
      model,
      contents,
      config: {
        systemInstruction: longPrompt,
        temperature: 1,
        topP: 0.95,
        topK: 64,
        thinkingConfig: {
          includeThoughts: true,
          ...(isThird(model) ? { thinkingLevel: 'HIGH' as never } : { thinkingBudget: 8192 }),
        },
        tools: [
          {
            functionDeclarations: offered.map(({ name, description, schema }) => ({
              name,
              description,
              parametersJsonSchema: schema,
            })),
          },
        ],
      },
    })
    const parts: Part[] = []
    for await (const chunk of stream) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
    contents.push({ role: 'model', parts: kept(parts) })
    const calls = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]))
    if (calls.length > 0) contents.push({ role: 'user', parts: calls.flatMap((call) => resultOf(call, model)) })
    return {
      thought: parts.map(({ thought, text }) => (thought ? (text ?? '') : '')).join(''),
      text: parts.map(({ thought, text }) => (thought ? '' : (text ?? ''))).join(''),
      calls: calls.map(({ id = '', name = '', args: input }) => ({ id, name, input })),
    }
  }

  return {
    ask(question) {
      contents.push({ role: 'user', parts: [{ text: question }] })
      return loop(step)
    },
  }
}
