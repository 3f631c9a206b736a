import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { role } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch, type Sent } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'

const sums = {
  on: true,
  compared: 4,
  failed: 0,
  same_text: 3,
  same_tools: 4,
  same_finish: 4,
  same_usage: 2,
  quota: 10,
  second_quota: 12,
  today: 10,
}

const showTo = async (userRole: number): Promise<readonly Sent[]> => {
  setLanguage('en')
  storeUser({ id: 1, username: 'operator', display_name: '', role: userRole, status: 1, group: '' })
  const asked = fakeFetch({
    'GET /api/dual_run/sums': () => sums,
    'GET /api/dual_run/': () => ({ items: [], total: 0, page: 1, page_size: 25 }),
  })
  await renderConsole(
    <>
      <ScreenParts place="below captures" />
      <p>the end</p>
    </>,
    '/inspector',
  )
  return asked
}

it('shows root below the captures how often a second gateway answers the same', async () => {
  await showTo(role.root)
  const panel = within(await screen.findByRole('region', { name: 'Dual run' }))
  for (const text of ['Compared', '75.0%', '50.0%', 'No differences'])
    expect((await panel.findAllByText(text)).length).toBeGreaterThan(0)
})

it('asks for no comparison for other administrators', async () => {
  const asked = await showTo(role.admin)
  await screen.findByText('the end')
  expect(asked.filter(({ path }) => path.startsWith('/api/dual_run'))).toEqual([])
})
