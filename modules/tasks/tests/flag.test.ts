import { moduleFlags, options, status } from '@tollgate/contract'
import { expect, it } from 'vitest'

it('publishes its flag under the names that clients know', () => {
  expect(options.TaskEnabled.status).toBe('enable_task')
  expect(moduleFlags).toContain('enable_task')
  expect(status.safeParse({}).error?.issues.map(({ path }) => path[0])).toContain('enable_task')
})
