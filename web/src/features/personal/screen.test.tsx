import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { preferencesStore } from '../../lib/preferences/preferences.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { FirstSteps } from './screen.tsx'

it('brings the first steps back that were put away', async () => {
  setLanguage('zh')
  storeUser({ id: 901, username: 'u901', display_name: '', role: 1, status: 1, group: '' })
  preferencesStore.change({ marks: { 'guide-over': true } })
  const { router } = await renderConsole(<FirstSteps />, '/personal')
  await userEvent.click(screen.getByRole('button', { name: '显示入门步骤' }))
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/token'))
  expect(router.state.location.search).toEqual({ guide: '1' })
  expect(preferencesStore.get().all.marks).toEqual({})
})
