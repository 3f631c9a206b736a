import { expect, it } from 'vitest'
import { builtCalls, dialectOfPath, isRelayPath, routeOf } from './routes.ts'

it('names to visitors only calls that are really answered, and not the playground’s own door', () => {
  expect(builtCalls.length).toBeGreaterThan(4)
  for (const { method, path } of builtCalls) {
    const asked = path.replace('{model}', 'gpt-4o').replace('{id}', '1763')
    expect(isRelayPath(asked)).toBe(true)
    expect(routeOf(method, asked).kind).toMatch(/^(relay|models|model|count|realtime|drawing|song)$/)
    expect(asked).not.toContain('/pg/')
  }
})

it('leaves the console its own calls about drawings, and takes every mode of the drawing service', () => {
  expect(['/api/mj/', '/api/mj/self', '/api/mj/image/3', '/api/task/'].map(isRelayPath)).toEqual(Array(4).fill(false))
  expect(['/mj/submit/imagine', '/mj-fast/mj/submit/imagine'].map(isRelayPath)).toEqual([true, true])
  expect(routeOf('GET', '/mj/image/17%2063')).toEqual({ kind: 'picture', mjId: '17 63' })
  expect(routeOf('GET', '/mj-fast/mj/image/1763')).toEqual({ kind: 'picture', mjId: '1763' })
})

it('knows the calls of the task services, and nothing else under their paths', () => {
  expect(routeOf('POST', '/mj-turbo/mj/submit/simple-change')).toEqual({
    kind: 'drawing',
    call: 'submit',
    submission: 'submit/simple-change',
  })
  expect(routeOf('POST', '/any/mj/insight-face/swap')).toMatchObject({ submission: 'insight-face/swap' })
  expect(routeOf('GET', '/mj/task/17%2F63/fetch')).toEqual({ kind: 'drawing', call: 'fetch', id: '17/63' })
  expect(routeOf('GET', '/mj-fast/mj/task/1/image-seed')).toMatchObject({ call: 'image-seed', id: '1' })
  expect(routeOf('POST', '/mj/task/list-by-condition')).toEqual({ kind: 'drawing', call: 'list' })
  expect(routeOf('POST', '/mj/notify')).toEqual({ kind: 'drawing', call: 'notify' })
  expect(routeOf('POST', '/suno/submit/Music')).toEqual({ kind: 'song', call: 'submit', action: 'Music' })
  expect(routeOf('POST', '/suno/fetch')).toEqual({ kind: 'song', call: 'list' })
  expect(routeOf('GET', '/suno/fetch/a')).toEqual({ kind: 'song', call: 'fetch', id: 'a' })
  for (const call of ['POST /mj/submit/video', 'GET /mj/submit/imagine', 'GET /mj/notify', 'POST /suno/fetch/a']) {
    const [method = '', path = ''] = call.split(' ')
    expect(routeOf(method, path)).toEqual({ kind: 'unknown' })
  }
})

it('names the dialect of every path under a prefix, routed or not', () => {
  expect(['/v1/messages/batches', '/v1/messages'].map(dialectOfPath)).toEqual(['anthropic', 'anthropic'])
  expect(
    ['/v1beta/x', '/v1beta', '/v1alpha/x', '/ws/google.ai.generativelanguage.v1beta.X'].map(dialectOfPath),
  ).toEqual(Array(4).fill('gemini'))
  expect(['/v1/messages-of-mine', '/v1/chat', '/v1betaX/y', '/ws/mine'].map(dialectOfPath)).toEqual(
    Array(4).fill('openai'),
  )
})

it('tells calls of Gemini that are not built from mistakes', () => {
  for (const call of [
    'POST /v1beta/models/veo-3:predictLongRunning',
    'GET /v1beta/files/a',
    'POST /v1beta/cachedContents',
  ])
    expect(routeOf(call.split(' ')[0] ?? '', call.split(' ')[1] ?? '')).toMatchObject({ kind: 'unbuilt', open: false })
  for (const path of ['/v1beta/models/gemini:generateContents', '/v1beta/nothing', '/v1beta/filesystem'])
    expect(routeOf('POST', path)).toEqual({ kind: 'unknown' })
})
