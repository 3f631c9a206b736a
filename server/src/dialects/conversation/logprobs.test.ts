import { describe, expect, it } from 'vitest'
import { silentConversation, speakers } from '../../../test/support/dialects/speakers.ts'
import { collect, eventsOf } from './collect.ts'
import type { Answer } from './conversation.ts'
import type { JsonObject } from './json.ts'
import { createUnsupportedFields } from './unsupported-fields.ts'

/** Log probabilities are translated between dialects that support them. */

const token = (text: string, logprob: number): JsonObject => ({ token: text, logprob, bytes: [...Buffer.from(text)] })
const logprobs = {
  content: [
    { ...token('Hé', -0.25), top_logprobs: [token('Hé', -0.25), token('Yo', -2)] },
    { ...token('llo', -0.75), top_logprobs: [] },
  ],
}
const answer: Answer = {
  id: 'a',
  model: 'm',
  created: 7,
  choices: [{ index: 0, finish: 'stop', parts: [{ kind: 'text', text: 'Héllo' }], logprobs }],
  usage: undefined,
}
const able = speakers.filter(({ name }) => name !== 'anthropic')

describe.each(able)('logprobs in $name', ({ client, upstream }) => {
  it('are asked for, with as many alternatives as the client wants', () => {
    const unsupported = createUnsupportedFields()
    const body = upstream.writeRequest({ ...silentConversation, logprobs: true, topLogprobs: 2 }, unsupported)
    const again = client.readRequest(body, { model: 'm', stream: false })
    expect(again).toMatchObject({ logprobs: true, topLogprobs: 2 })
    expect(unsupported.list()).toEqual([])
  })

  it('are written in an answer and in a stream', () => {
    const whole = upstream.readAnswer(client.writeAnswer(answer, silentConversation))
    expect(whole.choices[0]?.logprobs).toEqual(logprobs)
    const writer = client.openStream(silentConversation)
    const reader = upstream.openStream()
    const printed = eventsOf(answer).map((event) => writer.write(event))
    const data = printed
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('data: '))
    const events = [...data.flatMap((line) => reader.read(line.slice(6), '')), ...reader.end()]
    expect(collect(events).choices[0]?.logprobs).toEqual(logprobs)
  })
})

it('alternatives alone are not asked for in chat completions, which refuse them', () => {
  const chat = speakers.find(({ name }) => name === 'openai-chat')
  expect(
    chat?.upstream.writeRequest({ ...silentConversation, topLogprobs: 2 }, createUnsupportedFields()),
  ).not.toHaveProperty('top_logprobs')
})
