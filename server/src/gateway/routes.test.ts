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
