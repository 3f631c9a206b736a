import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { runTool, serve } from './harness.mjs'

const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } }
const providers = {
  'openai-compatible': ({ url, key, model }) =>
    createOpenAICompatible({ name: 'tollgate', baseURL: `${url}/v1`, apiKey: key, includeUsage: true })(model),
  anthropic: ({ url, key, model }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: key })(model),
  google: ({ url, key, model }) => createGoogle({ baseURL: `${url}/v1beta`, apiKey: key })(model),
  deepseek: ({ url, key, model }) => createDeepSeek({ baseURL: `${url}/v1`, apiKey: key })(model),
}
const optionsOf = {
  'openai-compatible': { tollgate: { reasoningEffort: 'medium' } },
  anthropic: thinking,
  google: { google: { thinkingConfig: { includeThoughts: true } } },
  deepseek: { deepseek: { thinking: { type: 'enabled' } } },
}

const plain = async (task) => {
  const { text } = await generateText({ model: providers[task.api](task), prompt: task.question, maxRetries: 0 })
  return text
}

const toolLoop = async (task) => {
  const tools = Object.fromEntries(
    task.tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters), execute: () => runTool(name) }),
    ]),
  )
  let failure
  const result = streamText({
    model: providers[task.api](task),
    system: 'Be careful.',
    prompt: task.question,
    tools,
    stopWhen: isStepCount(9),
    maxRetries: 0,
    providerOptions: optionsOf[task.api],
    onError: ({ error }) => {
      failure = error
    },
  })
  await result.consumeStream()
  if (failure !== undefined) throw failure
  const steps = await result.steps
  return steps.map(({ text, reasoningText = '', toolCalls }) => ({
    text,
    thought: reasoningText,
    calls: toolCalls.map(({ toolName, input }) => ({ name: toolName, input })),
  }))
}

serve({ plain, loop: toolLoop })
