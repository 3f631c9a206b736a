import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { LedgerTable } from './ledger-table.tsx'

it('has on a phone the reason with the amount at the right, and no number of the movement', async () => {
  setLanguage('en')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: '' })
  const wide = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...wide(query),
    matches: query.includes('max-width'),
  }))
  const entry = {
    id: 1,
    created_at: 1_763_600_000,
    reason: 'topup',
    amount: 5_000_000,
    balance: 6_000_000,
    movement: '202611290156abcdef',
    request_id: '',
    actor_id: 0,
    actor_name: '',
    note: '',
  }
  fakeFetch({ 'GET /api/user/self/ledger': () => ({ items: [entry], total: 1, more: false }) })
  await renderConsole(<LedgerTable />, '/wallet')
  const card = (await screen.findByText(/10\.00/)).closest('li')
  // The first line has the names at the left and the amount at the right.
  const [names, amount] = card?.querySelector('[class*="first"]')?.children ?? []
  expect(names?.textContent).toBe('Top-up')
  expect(amount?.textContent).toMatch(/^\+\$10\.00/)
  expect(amount?.querySelector('[data-plus]')).toBeTruthy()
  expect(card?.textContent).not.toContain(entry.movement)
})
