import { expect, it } from 'vitest'
import { lightAnswer } from './light-answer.ts'

const light = (value: unknown) => lightAnswer(Buffer.from(JSON.stringify(value)))
const long = 'A'.repeat(70_000)
const vector = Array.from({ length: 100 }, (_, at) => at / 7)

it('keeps texts, calls, usage and error, and leaves out what only the client reads', () => {
  const message = {
    role: 'assistant',
    content: long,
    tool_calls: [{ function: { name: 'f', arguments: '{"data":[1]}' } }],
  }
  const usage = { prompt_tokens: 3, prompt_tokens_details: [{ modality: 'TEXT', tokenCount: 3 }] }
  expect(
    light({
      id: 'a',
      choices: [{ index: 0, message, logprobs: { content: [{ token: 'x' }] } }],
      candidates: [{ content: { parts: [{ text: long }, { inlineData: { data: long } }] }, logprobsResult: {} }],
      data: [{ embedding: vector }, { embedding: long }, { b64_json: 'short' }],
      usage,
      error: null,
    }),
  ).toEqual({
    kind: 'read',
    json: {
      id: 'a',
      choices: [{ index: 0, message, logprobs: null }],
      candidates: [
        { content: { parts: [{ text: long }, { inlineData: { data: 'AAAAAAAAAAAA' } }] }, logprobsResult: null },
      ],
      data: [{ embedding: null }, { embedding: 'AAAAAAAAAAAA' }, { b64_json: 'short' }],
      usage,
      error: null,
    },
  })
})

it('names what it cannot hand over, and what is no JSON', () => {
  expect(light(Array.from({ length: 60_000 }, () => ({ a: 1 })))).toEqual({ kind: 'bulky' })
  expect(lightAnswer(Buffer.from('{"a":'))).toMatchObject({
    kind: 'malformed',
    detail: expect.stringContaining('JSON'),
  })
})
