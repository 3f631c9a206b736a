import { expect, it } from 'vitest'
import { eventsOf } from '../../src/dialects/conversation/collect.ts'
import { geminiContent } from '../../src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import { silentConversation, speakers } from '../support/dialects/speakers.ts'

/** Pictures and speech of a model reach clients whose dialect has a place for them. */

const generated = (mimeType: string) =>
  geminiContent().readAnswer({
    candidates: [
      { content: { role: 'model', parts: [{ inlineData: { mimeType, data: 'AAEC' } }] }, finishReason: 'STOP' },
    ],
  })

it('clients of chat completions hear speech, and Gemini’s hear OpenAI’s', () => {
  const written = openaiChatDialect.writeAnswer(generated('audio/L16;codec=pcm;rate=24000'), silentConversation)
  expect(written.choices).toMatchObject([{ message: { audio: { id: 'audio', data: 'AAEC', transcript: '' } } }])
  const answer = openaiChat().readAnswer({
    choices: [
      { index: 0, message: { content: null, audio: { id: 'a', data: 'AAEC', transcript: 'Hi', expires_at: 9 } } },
    ],
  })
  const gemini = speakers.find(({ name }) => name === 'gemini')
  expect(gemini?.client.writeAnswer(answer, silentConversation).candidates).toMatchObject([
    { content: { parts: [{ inlineData: { data: 'AAEC' } }] } },
  ])
})

it('clients of the responses see pictures, whole and in a stream', () => {
  const item = { type: 'image_generation_call', status: 'completed', result: 'AAEC' }
  const answer = generated('image/png')
  expect(openaiResponsesDialect.writeAnswer(answer, silentConversation).output).toMatchObject([item])
  const writer = openaiResponsesDialect.openStream(silentConversation)
  const text = eventsOf(answer)
    .map((event) => writer.write(event))
    .join('')
  expect(text).toContain('"type":"response.output_item.done"')
  expect(text).toContain('"type":"image_generation_call"')
})
