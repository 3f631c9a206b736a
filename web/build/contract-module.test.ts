import { expect, it } from 'vitest'
import { printModule } from './contract-module.ts'

const contract = {
  login: { method: 'POST', path: '/api/user/login', access: 'visitor', body: { parse: () => 1 } },
  testMail: { method: 'POST', path: '/api/option/test_mail', access: 'root' },
  role: { user: 1 },
  pageSizes: [10, 20],
  user: new (class Schema {})(),
  endpoint: () => 1,
}

it('names addresses and constants of the contract, and nothing that needs a schema library', () => {
  expect(printModule('virtual:contract', contract)?.split('\n')).toEqual([
    "export * as calls from 'virtual:contract/calls'",
    "export { role } from 'virtual:contract/one/role'",
    "export { pageSizes } from 'virtual:contract/one/pageSizes'",
  ])
  expect(printModule('virtual:contract/calls', contract)?.split('\n')).toEqual([
    "export { login } from 'virtual:contract/one/login'",
    "export { testMail } from 'virtual:contract/one/testMail'",
  ])
})

it('prints each of them as a module of its own', () => {
  expect(printModule('virtual:contract/one/login', contract)).toBe(
    'export const login = {"method":"POST","path":"/api/user/login"}',
  )
  expect(printModule('virtual:contract/one/role', contract)).toBe('export const role = {"user":1}')
})
