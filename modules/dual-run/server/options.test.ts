import { options } from '@tollgate/contract'
import { expect, it } from 'vitest'

it('stores the key of the second gateway as a secret', () => {
  expect(options.DualRunKey.secret).toBe(true)
})
