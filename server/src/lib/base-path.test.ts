import { expect, it } from 'vitest'
import { belowBasePath, withBasePath } from './base-path.ts'

it.each([
  ['/gw', '/login?done=1', '/gw/login?done=1'],
  ['', '/login', '/login'],
  ['/gw', 'https://elsewhere.test/login', 'https://elsewhere.test/login'],
  ['/gw', '//elsewhere.test', '//elsewhere.test'],
  ['/gw', '/\\elsewhere.test', '/\\elsewhere.test'],
])('below %o the target %o is %o', (basePath, target, there) => {
  expect(belowBasePath(basePath, target)).toBe(there)
})

it.each([
  ['/gw', '', ''],
  ['/gw', 'https://ai.test', 'https://ai.test/gw'],
  ['/gw', 'https://ai.test/', 'https://ai.test/gw'],
  ['/gw', 'https://ai.test/gw', 'https://ai.test/gw'],
  ['', 'https://ai.test/', 'https://ai.test/'],
])('with the path %o the address %o is %o', (basePath, address, whole) => {
  expect(withBasePath(basePath, address)).toBe(whole)
})
