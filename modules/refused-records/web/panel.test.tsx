import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { RefusedRecords } from './panel.tsx'

const record = {
  request_id: 'req-9',
  created_at: 1_763_600_000,
  refused_at: 1_763_600_001,
  kind: 'charge',
  step: 'charge',
  charged: true,
  user_id: 7,
  username: 'alice',
  token_id: 3,
  token_name: 'main',
  channel: 4,
  model_name: 'gpt-4o',
  quota: 500,
  reason: 'value too long',
  retries: 0,
}
const detail = { ...record, ip: '', content: 'the whole text', other: '{}', task: '' }

beforeEach(() => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  setLanguage('en')
})

it('shows nothing while the database refuses nothing', async () => {
  const sent = fakeFetch({ 'GET /api/refused-records': () => ({ items: [], total: 0, node_name: 'n1' }) })
  await renderConsole(<RefusedRecords />)
  await expect.poll(() => sent.length).toBe(1)
  expect(screen.queryByText(/refused/)).toBeNull()
})

it('shows why a record was refused and its texts, and tries it again', async () => {
  const sent = fakeFetch({
    'GET /api/refused-records': () => ({ items: [record], total: 1, node_name: 'n1' }),
    'GET /api/refused-records/req-9': () => detail,
    'POST /api/refused-records/req-9/retry': () => null,
  })
  await renderConsole(<RefusedRecords />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Show records' }))
  expect(screen.getByText('value too long')).toBeTruthy()
  expect(screen.getByText('Charged')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show content' }))
  expect(await screen.findByText('the whole text')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Retry record req-9' }))
  await expect.poll(() => sent.map(({ method }) => method)).toContain('POST')
})
