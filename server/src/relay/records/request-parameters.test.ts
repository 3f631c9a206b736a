import { expect, it } from 'vitest'
import { requestParameters } from './request-parameters.ts'

it('keeps what a request chose, and counts of its lists', () => {
  expect(
    requestParameters({
      model: 'gpt-4o',
      temperature: 0.2,
      max_tokens: 300,
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'secret plan' } },
      tool_choice: 'auto',
      tools: [{}, {}],
      messages: [{ role: 'user', content: 'hello' }],
    }),
  ).toEqual({
    temperature: 0.2,
    max_tokens: 300,
    parallel_tool_calls: false,
    response_format: 'json_schema',
    tool_choice: 'auto',
    messages: 1,
    tools: 2,
  })
})

it('reads Anthropic’s and Gemini’s, too', () => {
  expect(requestParameters({ thinking: { type: 'enabled', budget_tokens: 2000 }, top_k: 5 })).toEqual({
    top_k: 5,
    thinking: 'enabled',
    'thinking.budget_tokens': 2000,
  })
  expect(requestParameters({ generationConfig: { topP: 0.9, maxOutputTokens: 64 }, contents: [{}, {}] })).toEqual({
    topP: 0.9,
    maxOutputTokens: 64,
    contents: 2,
  })
})

it('keeps no text of a conversation, and nothing where nothing was chosen', () => {
  const text = 'a sentence that somebody wrote to a model, longer than any word'
  expect(
    requestParameters({ model: 'm', input: text, voice: text, prompt: text, user: 'ada', stop: 'END' }),
  ).toBeUndefined()
  expect(requestParameters(undefined)).toBeUndefined()
})
