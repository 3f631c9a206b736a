import { expect, it } from 'vitest'
import { anthropicDialect } from '../dialects/anthropic/dialect.ts'
import { geminiDialect } from '../dialects/gemini/dialect.ts'
import { dialects } from '../dialects/index.ts'
import { openaiErrors } from '../dialects/openai-chat/errors.ts'
import { createRoutes } from './routes.ts'

const { offered, isRelayPath, routeOf } = createRoutes(dialects)

const errorsAt = (path: string): unknown => {
  const route = routeOf('PUT', path)
  return route.kind === 'unknown' || route.kind === 'unbuilt' ? route.errors : route
}

it('names to visitors only calls that are really answered, and not the playground’s own door', () => {
  expect(offered.length).toBeGreaterThan(4)
  for (const { method, path } of offered) {
    const example = path.replace('{model}', 'gpt-4o').replace('{id}', '1763')
    expect(isRelayPath(example)).toBe(true)
    expect(routeOf(method, example).kind).toMatch(/^(relay|models|model|count|realtime|drawing|song)$/)
    expect(example).not.toContain('/pg/')
  }
})

it('names every call of a dialect that has a fixed path, except the playground’s', () => {
  const named = offered.map(({ method, path }) => `${method} ${path}`)
  for (const { paths } of dialects)
    expect(named).toEqual(
      expect.arrayContaining(Object.keys(paths.exact).filter((call) => !call.startsWith('POST /pg/'))),
    )
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
    expect(routeOf(method, path)).toMatchObject({ kind: 'unknown' })
  }
})

it('writes errors under a prefix in its dialect, whether the path is routed or not', () => {
  for (const path of ['/v1/messages/batches', '/v1/messages']) expect(errorsAt(path)).toBe(anthropicDialect.errors)
  for (const path of ['/v1beta/x', '/v1beta', '/v1alpha/x', '/ws/google.ai.generativelanguage.v1beta.X'])
    expect(errorsAt(path)).toBe(geminiDialect.errors)
  for (const path of ['/v1/messages-of-mine', '/v1/chat', '/v1betaX/y', '/ws/mine'])
    expect(errorsAt(path)).toBe(openaiErrors)
})

it('distinguishes calls of Gemini that are not built from mistakes', () => {
  for (const call of ['POST /v1beta/models/veo-3:predictLongRunning', 'GET /v1beta/files/a'])
    expect(routeOf(call.split(' ')[0] ?? '', call.split(' ')[1] ?? '')).toMatchObject({ kind: 'unbuilt', open: false })
  for (const path of ['/v1beta/models/gemini:generateContents', '/v1beta/nothing', '/v1beta/filesystem'])
    expect(routeOf('POST', path)).toMatchObject({ kind: 'unknown' })
})
