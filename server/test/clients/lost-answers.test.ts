import { expect, it } from 'vitest'
import { contents, gemini, generated, generatedStream, question } from '../support/gateway/dialects.ts'
import { ask, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

/** Parts of a provider's answer that the client's dialect cannot express are in the log. */

useScene()

const drawn = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
const withPicture = {
  ...generated,
  candidates: [{ content: { role: 'model', parts: [{ text: 'See' }, drawn] }, finishReason: 'STOP', index: 0 }],
}

it('of a whole answer, and in its header', async () => {
  useChannels(gemini())
  upstream.answer = json(withPicture)
  const response = await ask({ ...question, model: 'gemini-2.5-flash' }, '/v1/messages')
  expect(response.headers.get('x-tollgate-lost-fields')).toBe('answer.image')
  expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'See' }] })
  expect(lastRecord()?.other).toMatchObject({ lost_fields: ['answer.image'] })
})

it('of a stream', async () => {
  useChannels(gemini())
  upstream.answer = stream(`data: ${JSON.stringify(withPicture)}\n\n`)
  const body = { ...question, model: 'gemini-2.5-flash', stream: true }
  expect(await (await ask(body, '/v1/messages')).text()).toContain('message_stop')
  expect(lastRecord()?.other).toMatchObject({ lost_fields: ['answer.image'] })
})

it('and of nothing where the client speaks the provider’s language', async () => {
  useChannels(gemini())
  upstream.answer = stream(...generatedStream)
  await (await ask(contents, '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse')).text()
  expect(lastRecord()?.other).not.toHaveProperty('lost_fields')
})
