import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Correction, CorrectionDetail } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderAmongPages, renderConsole } from '#web/test/render-console.tsx'
import { blankCorrection, bodyOf } from './fields.ts'
import { CorrectionsScreen } from './screen.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  setLanguage('en')
  signIn(100)
})

const correction = (fields: Partial<Correction> = {}): Correction => ({
  id: 3,
  created_at: 1_795_000_000,
  actor_id: 1,
  actor_name: 'root',
  note: 'typing mistake',
  state: 'ready',
  from: 1_794_000_000,
  to: 1_794_900_000,
  models: ['gpt-4o'],
  channels: [],
  users: [],
  changes: [],
  seen: 12,
  left_out: { task: 1, same: 1 },
  calls: 10,
  old_quota: 5_000_000,
  new_quota: 2_500_000,
  applied: 0,
  skipped: 0,
  finished_time: 0,
  ...fields,
})

const detail = (fields: Partial<CorrectionDetail> = {}): CorrectionDetail => ({
  ...correction(),
  users_changed: [
    { user_id: 7, username: 'ann', calls: 10, old_quota: 5_000_000, new_quota: 2_500_000, applied_calls: 0 },
  ],
  users_total: 1,
  ...fields,
})

const listed = (...items: Correction[]) => ({ items, total: items.length, page: 1, page_size: 10 })

describe('the price of a correction', () => {
  const options = [
    { key: 'ModelPrice', value: '{"gpt-4o":0.5,"draw":1}' },
    { key: 'ModelRatio', value: '{"other":3}' },
    { key: 'CompletionRatio', value: '{}' },
    { key: 'CacheRatio', value: '{"gpt-4o":0.1}' },
  ]
  const values = { ...blankCorrection, from: '2026-11-01T00:00', to: '2026-11-02T00:00', models: 'gpt-4o， o3' }

  it('is given in dollars per million tokens, and leaves other models as they are', () => {
    const body = bodyOf({ ...values, input: 2.5, output: 10, cached: 1.25, channels: '4, 5' }, options, 'UTC')
    expect(body).toMatchObject({ models: ['gpt-4o', 'o3'], channels: [4, 5], users: [] })
    expect(new Map(body.changes.map(({ key, value }) => [key, JSON.parse(value)]))).toEqual(
      new Map<string, unknown>([
        ['ModelPrice', { draw: 1 }],
        ['ModelRatio', { other: 3, 'gpt-4o': 1.25, o3: 1.25 }],
        ['CompletionRatio', { 'gpt-4o': 4, o3: 4 }],
        ['CacheRatio', { 'gpt-4o': 0.5, o3: 0.5 }],
      ]),
    )
  })

  it('may be one for each call', () => {
    const body = bodyOf({ ...values, mode: 'call', perCall: '0.02' }, options, 'UTC')
    expect(body.changes).toEqual([{ key: 'ModelPrice', value: '{"draw":1,"gpt-4o":0.02,"o3":0.02}' }])
  })
})

it('computes first, and shows what changes for whom', async () => {
  const sent = fakeFetch({
    'GET /api/correction/': () => listed(),
    'GET /api/option/': () => [],
    'POST /api/correction/': () => correction({ state: 'preparing' }),
    'GET /api/correction/3': () => detail(),
  })
  await renderConsole(<CorrectionsScreen />, '/correction?new=1')
  const user = userEvent.setup()
  const form = await screen.findByRole('dialog', { name: 'New correction' })
  await user.type(within(form).getByLabelText(/^Models/), 'gpt-4o')
  await user.type(within(form).getByLabelText(/^From/), '2026-11-01T00:00')
  await user.type(within(form).getByLabelText(/^To/), '2026-11-02T00:00')
  await user.type(within(form).getByLabelText(/^Input/), '2.5')
  await user.type(within(form).getByLabelText(/^Output/), '10')
  await user.click(within(form).getByRole('button', { name: 'Calculate difference' }))
  const sheet = await screen.findByRole('dialog', { name: 'Correction #3' })
  expect(await within(sheet).findByRole('table', { name: 'By user' })).toBeTruthy()
  expect(within(sheet).getByText('Async tasks: 1 · Same charge: 1', { exact: false })).toBeTruthy()
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ models: ['gpt-4o'] })
})

it('applies after a question that names the sums', async () => {
  let state: Correction['state'] = 'ready'
  const sent = fakeFetch({
    'GET /api/correction/': () => listed(correction({ state })),
    'GET /api/correction/3': () => detail({ state, applied: state === 'applying' ? 4 : 0 }),
    'POST /api/correction/3/apply': () => {
      state = 'applying'
      return correction({ state })
    },
  })
  await renderConsole(<CorrectionsScreen />, '/correction?id=3')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Apply correction…' }))
  const question = await screen.findByRole('dialog', { name: 'Recalculate 10 calls?' })
  expect(within(question).getByText(/Balances of 1 users change by \$5.00/)).toBeTruthy()
  await user.click(within(question).getByRole('button', { name: 'Apply correction' }))
  await expect.poll(() => sent.some(({ method }) => method === 'POST')).toBe(true)
  expect(await screen.findByText('4 of 10')).toBeTruthy()
})

it('is closed to administrators who are not root', async () => {
  signIn(10)
  const sent = fakeFetch({})
  await renderConsole(<CorrectionsScreen />, '/correction')
  expect(await screen.findByText('Only the super administrator can correct prices')).toBeTruthy()
  expect(sent).toEqual([])
})

it('leads back to pages that name it', async () => {
  fakeFetch({ 'GET /api/correction/': () => listed() })
  const statements = { zh: '对账单', en: 'Statements' }
  const others = [
    { path: '/elsewhere', staticData: { title: { zh: '别处', en: 'Elsewhere' }, leadsFrom: { settings: 'root' } } },
    { path: '/months', staticData: { title: statements, leadsFrom: { pages: ['/correction'] } } },
  ] as const
  const { router } = await renderAmongPages(<CorrectionsScreen />, '/correction', others)
  await userEvent.click(await screen.findByRole('button', { name: 'Statements' }))
  await expect.poll(() => router.state.location.pathname).toBe('/months')
  expect(screen.queryByRole('button', { name: 'Elsewhere' })).toBeNull()
})
