import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../lib/i18n.ts'
import { statusStore } from '../lib/status.ts'
import { renderAmongPages } from '../test/render-console.tsx'
import { FigureButton } from './figure-button.tsx'

const title = { zh: '图表', en: 'Charts' }
const charts = { path: '/charts', staticData: { title, leadsFrom: { figures: true } } } as const
const other = { path: '/other', staticData: { title, leadsFrom: { pages: ['/token'] } } } as const

beforeEach(() => {
  setLanguage('en')
  statusStore.set({ ...statusStore.get(), enable_data_export: true })
})

const button = <FigureButton link={{ by: 'model', filters: [{ dimension: 'key', is: 'is', values: ['7'] }] }} />

it('leads to the page that answers questions about figures, with the question in its address', async () => {
  const { router } = await renderAmongPages(button, '/token', [other, charts])
  await userEvent.click(await screen.findByRole('button', { name: 'Charts' }))
  await expect.poll(() => router.state.location.pathname).toBe('/charts')
  expect(router.state.location.search).toEqual({ by: 'model', filter: '[["key","is","7"]]' })
})

it('is not drawn where no page answers them, or while figures are off', async () => {
  await renderAmongPages(<>{button}here</>, '/token', [other])
  await screen.findByText('here')
  statusStore.set({ ...statusStore.get(), enable_data_export: false })
  await renderAmongPages(<>{button}there</>, '/token', [charts])
  await screen.findByText('there')
  expect(screen.queryByRole('button')).toBeNull()
})
