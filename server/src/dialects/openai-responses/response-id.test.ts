import { expect, it } from 'vitest'
import type { JsonObject } from '../conversation/json.ts'
import { openaiChat } from '../openai-chat/dialect.ts'
import { openaiResponsesDialect } from './dialect.ts'

/** The id that a client reads of the answer of another dialect: whole, and from the stream's first event. */
const idsOf = (id: string): readonly unknown[] => {
  const conversation = openaiResponsesDialect.readRequest({ input: 'go' }, { model: 'm', stream: false })
  const chat = openaiChat()
  const whole = { id, choices: [{ index: 0, message: { content: 'hello' }, finish_reason: 'stop' }] }
  const answer = openaiResponsesDialect.writeAnswer(chat.readAnswer(whole), conversation)
  const chunk = { id, choices: [{ index: 0, delta: { content: 'hello' } }] }
  const writer = openaiResponsesDialect.openStream(conversation)
  const text = chat
    .openStream()
    .read(JSON.stringify(chunk), '')
    .map((event) => writer.write(event))
    .join('')
  const [, first = '{}'] = /^data: (.*)$/m.exec(text) ?? []
  const { response } = JSON.parse(first) as { response?: JsonObject }
  return [answer.id, response?.id]
}

it('begins as those of OpenAI, whole and in streams', () => {
  expect(idsOf('chatcmpl-7')).toEqual(['resp_chatcmpl-7', 'resp_chatcmpl-7'])
})
