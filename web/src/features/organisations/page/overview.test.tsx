import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Organisation } from '../../../lib/api/contract.ts'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { applyStatus, statusStore } from '../../../lib/status.ts'
import { type FakeAnswer, fakeFetch, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { OrganisationsScreen } from '../screen.tsx'
import { reader, testMember, testOrganisation } from '../testing-organisation.ts'

const dollar = 500_000
let sent: Sent[]

const open = async (organisation: Organisation, answers: Readonly<Record<string, FakeAnswer>> = {}): Promise<void> => {
  sent = fakeFetch({
    'GET /api/organisation/5': () => organisation,
    'GET /api/organisation/5/keys': () => [],
    ...answers,
  })
  await renderConsole(<OrganisationsScreen />, '/organisation/5', createQueryClient(), '/organisation/$id')
  await screen.findByRole('heading', { level: 1, name: 'Northwind' })
}

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: reader, username: 'ada', display_name: '', role: 1, status: 1, group: 'default' })
  applyStatus({ ...statusStore.get(), quota_per_unit: dollar, display_in_currency: true, enable_data_export: true })
})
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

const month = () => {
  const now = new Date()
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / 1000
  return { buckets: [start], sums: [dollar], series: [], rows: [], from: start, to: start + 3600, rollup: 'day' }
}

it('draws the spend of the month for those who read all of it, with what stops it', async () => {
  const organisation = testOrganisation('owner', { spent: dollar, balance: dollar / 1000 })
  await open(organisation, { 'GET /api/organisation/5/explore': month })
  const chart = await screen.findByRole('slider', { name: /^Monthly spend: \$1.00 so far/ })
  expect(chart.parentElement?.textContent).toContain('Wallet empty at')
  cleanup()
  await open(testOrganisation('member'), { 'GET /api/organisation/5/explore': month })
  expect(screen.queryByRole('slider')).toBeNull()
  expect(sent.map(({ path }) => path)).not.toContain('/api/organisation/5/explore')
})

it('shows what counts for a key, and what stops it first', async () => {
  const cap = { period: 'month', amount: 20 * dollar, spent: 20 * dollar } as const
  const members = [testMember({ user_id: reader, username: 'ada', role: 'owner', spent: dollar, cap })]
  const key = (id: number, name: string, more = {}) => ({
    id,
    name,
    status: 1,
    project_id: 11,
    member_id: reader,
    key: 'abc',
    used_quota: 0,
    remain_quota: 0,
    unlimited_quota: true,
    ...more,
  })
  const soon = Math.floor(Date.now() / 1000) + 3600
  const limit = {
    id: 1,
    name: 'l',
    measure: 'requests',
    window: 'day',
    hours: 1,
    refuses: true,
    fallback_model: '',
    subject: 'key 2',
    subjects: [{ kind: 'key', value: '2', name: 'ci' }],
    amount: 60,
    used: 12,
    left: 48,
    free_at: soon,
    used_up_at: soon,
  }
  await open(testOrganisation('owner', { members }), {
    'GET /api/organisation/5/keys': () => [key(1, 'codex'), key(2, 'ci', { member_id: 0 })],
    'GET /api/organisation/5/keys/limits': ({ query }) => (query.key === '2' ? [limit] : []),
  })
  const panel = within(await screen.findByRole('region', { name: 'Limits on this key' }))
  expect((await panel.findByText('$20.00')).closest('li')?.textContent).toContain('used up, calls are rejected')
  await userEvent.selectOptions(panel.getByRole('combobox', { name: 'Key' }), '2')
  const line = (await panel.findByText('key ci')).closest('li')?.textContent
  expect(line).toContain('12 of 60')
  expect(line).toContain('runs out first')
})
