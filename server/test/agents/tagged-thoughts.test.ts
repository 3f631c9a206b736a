import { describe, expect, it } from 'vitest'
import { ask, channel, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

/** MiniMax writes its thoughts into the text. */

const minimax = () => channel({ type: 35 })
const question = { model: 'MiniMax-M2.5', max_tokens: 50, messages: [{ role: 'user', content: 'x' }] }

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const readStream = async (model: string): Promise<{ thought: string; text: string }> => {
  const answer = await ask({ ...question, model, stream: true }, '/v1/messages')
  const events = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => (JSON.parse(line.slice(6)) as { delta?: { thinking?: string; text?: string } }).delta ?? {})
  return {
    thought: events.map(({ thinking = '' }) => thinking).join(''),
    text: events.map(({ text = '' }) => text).join(''),
  }
}

describe.each(['<think>', '<mm:think>'])('a thought in %s', (open) => {
  const close = open.replace('<', '</')

  it.each([false, true])('is one for other dialects, also where it comes twice: %s', async (twice) => {
    useChannels(minimax())
    const text = `${open}\nI see ü${close}\n\nHello <b>`
    upstream.answer = json({
      ...completion(''),
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: text, ...(twice ? { reasoning_content: 'I see ü' } : {}) },
          finish_reason: 'stop',
        },
      ],
    })
    const answer = (await (await ask(question, '/v1/messages')).json()) as { content: unknown }
    expect(answer.content).toMatchObject([
      { type: 'thinking', thinking: 'I see ü' },
      { type: 'text', text: 'Hello <b>' },
    ])
    upstream.answer = stream(...[...text].map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]\n\n')
    expect(await readStream('MiniMax-M3')).toEqual({ thought: 'I see ü', text: 'Hello <b>' })
  })

  it('of a stream that holds it twice is read once', async () => {
    useChannels(minimax())
    upstream.answer = stream(
      chunk({ reasoning_content: 'I see', content: `${open}I see` }),
      chunk({ reasoning_content: ' ü', content: ' ü' }),
      chunk({ content: `${close}Hello` }),
      chunk({}, 'stop'),
      'data: [DONE]\n\n',
    )
    expect(await readStream('MiniMax-M3')).toEqual({ thought: 'I see ü', text: 'Hello' })
  })
})

it('stays in the text of other models, and for clients of chat completions', async () => {
  const text = '<think>a</think>b'
  upstream.answer = json(completion(text))
  useChannels(channel({ type: 8 }))
  expect(await (await ask({ ...question, model: 'local' }, '/v1/messages')).text()).toContain('<think>a</think>b')
  useChannels(minimax())
  expect(await (await ask(question)).text()).toContain('<think>a</think>b')
})
