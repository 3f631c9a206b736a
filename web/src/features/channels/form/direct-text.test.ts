import { expect, it } from 'vitest'
import { joinDirect, keyIdsOf, splitDirect } from './direct-text.ts'

const setting = JSON.stringify({
  proxy: 'http://p',
  header_override: { 'X-Tenant': 'one' },
  passthrough: { groups: ['vip'], keys: [3, 5], paths: ['/v1/files', '/v1/batches'], price: 0.01 },
})

it('headers and direct calls are fields of their own, and nothing of the settings is lost', () => {
  const values = splitDirect(setting)
  expect(JSON.parse(values.setting)).toEqual({ proxy: 'http://p' })
  expect(values).toMatchObject({
    headers: JSON.stringify({ 'X-Tenant': 'one' }, null, 2),
    rawGroups: ['vip'],
    rawKeys: '3, 5',
    rawPaths: '/v1/files\n/v1/batches',
    rawPrice: '0.01',
  })
  expect(JSON.parse(joinDirect(values))).toEqual(JSON.parse(setting))
})

it('the things of all makers are shared only where that is chosen', () => {
  expect(splitDirect(setting).rawShared).toBe(false)
  const shared = JSON.stringify({ passthrough: { groups: ['vip'], keys: [], paths: [], shared: true } })
  expect(splitDirect(shared).rawShared).toBe(true)
  expect(JSON.parse(joinDirect(splitDirect(shared)))).toEqual(JSON.parse(shared))
})

it('what is empty is left out', () => {
  const values = splitDirect('')
  expect(joinDirect(values)).toBe('')
  expect(joinDirect({ ...values, rawPrice: '1', rawPaths: '/v1' })).toBe('')
  expect(JSON.parse(joinDirect({ ...values, rawKeys: '7' }))).toEqual({
    passthrough: { groups: [], keys: [7], paths: [] },
  })
})

it('ids are numbers with commas between them', () => {
  expect([keyIdsOf(''), keyIdsOf('1，2, 3'), keyIdsOf('1 2'), keyIdsOf('a')]).toEqual([
    [],
    [1, 2, 3],
    undefined,
    undefined,
  ])
})
