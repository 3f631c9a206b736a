import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, expect, it } from 'vitest'
import { createConsoleRouter } from '../../routes.tsx'
import { addressOf } from '../api/call-address.ts'
import { belowBase, ownAddress, withoutBase } from './page-paths.ts'

const { dataset } = document.documentElement

afterEach(() => {
  delete dataset.base
})

it('changes nothing at the root of a host', () => {
  expect(belowBase('/api/status')).toBe('/api/status')
  expect(withoutBase('/log')).toBe('/log')
  expect(ownAddress()).toBe(window.location.origin)
  expect(addressOf('/api/token/:id', { params: { id: 3 } })).toBe('/api/token/3')
})

it('puts the path before those of the site alone, once', () => {
  dataset.base = '/gw'
  expect(belowBase('/api/status')).toBe('/gw/api/status')
  expect(belowBase('/gw/topup')).toBe('/gw/topup')
  expect(belowBase('/gwen')).toBe('/gw/gwen')
  expect(belowBase('https://elsewhere.test/x')).toBe('https://elsewhere.test/x')
  expect(belowBase('//elsewhere.test/x')).toBe('//elsewhere.test/x')
  expect(addressOf('/api/token/:id', { params: { id: 3 } })).toBe('/gw/api/token/3')
  expect(ownAddress()).toBe(`${window.location.origin}/gw`)
})

it('takes it from addresses of the browser', () => {
  dataset.base = '/gw'
  expect(withoutBase('/gw/oauth/github')).toBe('/oauth/github')
  expect(withoutBase('/gw')).toBe('/')
  expect(withoutBase('/gwen')).toBe('/gwen')
})

it('is unknown to the pages of the router', () => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ['/gw/log?type=5'] }), '/gw')
  expect(router.latestLocation.pathname).toBe('/log')
  expect(router.buildLocation({ to: '/token' }).publicHref).toBe('/gw/token')
})
