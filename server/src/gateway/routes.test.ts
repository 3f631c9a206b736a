import { expect, it } from 'vitest'
import { builtCalls, isRelayPath, routeOf } from './routes.ts'

it('names to visitors only calls that are really answered, and not the playground’s own door', () => {
  expect(builtCalls.length).toBeGreaterThan(4)
  for (const { method, path } of builtCalls) {
    const asked = path.replace('{model}', 'gpt-4o')
    expect(isRelayPath(asked)).toBe(true)
    expect(routeOf(method, asked).kind).toMatch(/^(relay|models|model|count)$/)
    expect(asked).not.toContain('/pg/')
  }
})

it('leaves the console its own calls about drawings, and takes every mode of the drawing service', () => {
  expect(['/api/mj/', '/api/mj/self', '/api/mj/image/3', '/api/task/'].map(isRelayPath)).toEqual(Array(4).fill(false))
  expect(['/mj/submit/imagine', '/mj-fast/mj/submit/imagine'].map(isRelayPath)).toEqual([true, true])
  expect(routeOf('GET', '/mj/image/17%2063')).toEqual({ kind: 'picture', mjId: '17 63' })
  expect(routeOf('GET', '/mj-fast/mj/image/1763')).toEqual({ kind: 'picture', mjId: '1763' })
})
