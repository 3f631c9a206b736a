import { expect, it } from 'vitest'
import { openTestGateway } from '../support/gateway/listener.ts'
import { channel, gateway, hi, upstream, useScene } from '../support/gateway/scene.ts'
import { chunk, json, stream } from '../support/gateway/upstream.ts'
import { openTestChannels } from '../support/relay/ports.ts'

/** Two gateways in a row: the message of an error names the request once, as the nearer one knows it. */

useScene()

const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const dialects = [
  ['/v1/chat/completions', hi],
  ['/v1/chat/completions', { ...hi, stream: true }],
  ['/v1/messages', { ...hi, max_tokens: 9 }],
  ['/v1/messages', { ...hi, max_tokens: 9, stream: true }],
  ['/v1/responses', { model: 'gpt-4o', input: 'hi' }],
  ['/v1/responses', { model: 'gpt-4o', input: 'hi', stream: true }],
  ['/v1beta/models/gpt-4o:generateContent', { contents }],
  ['/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', { contents }],
  ['/v1/embeddings', { model: 'gpt-4o', input: 'hi' }],
] as const
const languages = ['zh', 'en', undefined] as const
const failures = [
  ['of the provider', json({ error: { message: 'no such thing', type: 'x', code: 'y' } }, 400)],
  ['without a text', json({}, 400)],
  ['that begins an answer', json({ error: { message: 'no such thing', type: 'x', code: 'y' } })],
  ['of a stream', stream('data: {"error":{"message":"no such thing","type":"x"}}\n\n')],
  ['within a stream', stream(chunk('hello'), 'data: {"error":{"message":"no such thing","type":"x"}}\n\n')],
] as const
const cells = failures.flatMap(([name, answer]) =>
  dialects.flatMap(([path, body]) => languages.map((language) => ({ name, answer, path, body, language }))),
)

/** The answer of a gateway whose provider is the scene's gateway. */
const askNearer = async ({ path, body, language }: Pick<(typeof cells)[number], 'path' | 'body' | 'language'>) => {
  const far = channel({ baseUrl: gateway.url, keys: ['sk-good'] })
  const nearer = await openTestGateway({ relay: { channels: openTestChannels(far) } })
  try {
    const response = await fetch(nearer.url + path, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk-good',
        'content-type': 'application/json',
        ...(language === undefined ? {} : { 'accept-language': language }),
      },
      body: JSON.stringify(body),
    })
    return {
      text: await response.text(),
      id: response.headers.get('x-oneapi-request-id') ?? '',
      logged: nearer.parts.recorder.records,
    }
  } finally {
    await nearer.close()
  }
}

const named = /\(request id: ([^)]*)\)/g

it.each(cells)('an error $name names one request at $path in $language', async (cell) => {
  upstream.answer = cell.answer
  const { text, id } = await askNearer(cell)
  const ids = [...text.matchAll(named)].map(([, name]) => name)
  // A text of ours in both languages names it in each.
  expect(new Set(ids).size).toBeLessThanOrEqual(1)
  expect(text).not.toMatch(/\(request id: [^)]*\) \(request id/)
  if (ids.length > 0 && !text.includes('hello')) expect(ids).toContain(id)
})

it('the log of the nearer gateway holds the name that the farther one gave', async () => {
  upstream.answer = failures[0][1]
  const { logged, id } = await askNearer({ path: '/v1/chat/completions', body: hi, language: 'en' })
  expect(logged.map(({ content }) => content)).toEqual([expect.stringMatching(/^no such thing \(request id: \w+\)$/)])
  expect(logged[0]?.content).not.toContain(id)
})

it.each(languages)('a refusal of the farther gateway is told as one of the nearer in %s', async (language) => {
  gateway.tokens.clear()
  const { text, id } = await askNearer({ path: '/v1/chat/completions', body: hi, language })
  expect(new Set([...text.matchAll(named)].map(([, name]) => name))).toEqual(new Set([id]))
})
