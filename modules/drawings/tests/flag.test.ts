import { moduleFlags, options, status } from '@tollgate/contract'
import { expect, it } from 'vitest'

it('publishes its flag under the names that clients know', () => {
  expect(options.DrawingEnabled.status).toBe('enable_drawing')
  expect(moduleFlags).toContain('enable_drawing')
  expect(status.safeParse({}).error?.issues.map(({ path }) => path[0])).toContain('enable_drawing')
})
