import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderAmongPages } from '../../test/render-console.tsx'
import { DeclaredUsageScreen } from './screen.tsx'

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  fakeFetch({ 'GET /api/declared_usage/': () => ({ items: [], total: 0, page: 1, page_size: 10 }) })
})

it('leads to pages that name it', async () => {
  const title = { zh: '价格更正', en: 'Price corrections' }
  const others = [
    { path: '/prices', staticData: { title, leadsFrom: { pages: ['/unknown-usage'] } } },
    { path: '/months', staticData: { title: { zh: '对账单', en: 'Statements' }, leadsFrom: { pages: ['/prices'] } } },
  ] as const
  const { router } = await renderAmongPages(<DeclaredUsageScreen />, '/unknown-usage', others)
  await userEvent.click(await screen.findByRole('button', { name: 'Price corrections' }))
  await expect.poll(() => router.state.location.pathname).toBe('/prices')
  expect(screen.queryByRole('button', { name: 'Statements' })).toBeNull()
})
