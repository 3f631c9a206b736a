import { options } from '@tollgate/contract'
import { expect, it } from 'vitest'

it('stores the keys of sinks as secrets', () => {
  expect([options.UsageWebhookSecret.secret, options.UsageOtlpHeaders.secret]).toEqual([true, true])
})
