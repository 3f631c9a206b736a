import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ExploreAlert } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { statusStore } from '#web/lib/status.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { readView } from '../question/view.ts'
import { AlertDialog } from './alert-dialog.tsx'
import { storedThreshold, suggested, typedUnit } from './threshold.ts'

const day = 86_400
const start = 1_763_596_800
const figures = { before: null, share: null, calls: 4, cache_share: null, first_p95: null }
const report = (value: number | null) => ({
  from: start,
  to: start + 10 * day,
  rollup: 'day' as const,
  utc_days: false,
  buckets: [],
  series: [],
  sums: [],
  rows: [],
  rest_values: 0,
  more: false,
  refresh_minutes: 5,
  total: { ...figures, value },
})

const alert = (more: Partial<ExploreAlert> = {}): ExploreAlert => ({
  id: 4,
  name: 'Too dear',
  metric: 'spend',
  filters: [],
  mine: false,
  comparison: 'above',
  threshold: 5_000_000,
  window_hours: 24,
  enabled: true,
  over_since: 0,
  last_value: 1_000_000,
  checked_time: start,
  noticed_time: 0,
  ...more,
})

beforeEach(() => {
  setLanguage('en')
  storeUser({ id: 31, username: 'alice', display_name: '', role: 10, status: 1, group: 'default' })
  statusStore.set({ ...statusStore.get(), display_in_currency: true, quota_per_unit: 500_000 })
})

const draw = async (search: Record<string, string>, value: number | null, alerts: readonly ExploreAlert[] = []) => {
  const sent = fakeFetch({
    'GET /api/explore/alerts': () => alerts,
    'POST /api/explore/alerts': () => alert(),
    'PUT /api/explore/alerts/4': () => alert(),
    'DELETE /api/explore/alerts/4': () => ({}),
  })
  const dialog = (
    <AlertDialog
      view={readView(search, true)}
      report={report(value)}
      adding
      nameOf={(_, key) => `name of ${key}`}
      onClose={() => {}}
    />
  )
  await renderConsole(dialog, '/explore')
  return sent
}

it('begins with a threshold that is well away from what the window has on average', () => {
  const above = { comparison: 'above', hours: 24, size: 1 } as const
  expect(suggested(report(1000), 'calls', above)).toBe(200)
  expect(suggested(report(1000), 'calls', { ...above, comparison: 'below' })).toBe(50)
  expect(suggested(report(0.04), 'error_share', { ...above, size: typedUnit('error_share', 1) })).toBe(5)
  expect(suggested(report(0.9), 'cache_share', { ...above, size: typedUnit('cache_share', 1) })).toBe(100)
  expect(suggested(report(2400), 'first_p95', { ...above, size: typedUnit('first_p95', 1) })).toBe(3)
  expect(suggested(report(null), 'first_p95', above)).toBe('')
  expect(storedThreshold(7, typedUnit('error_share', 1))).toBe(0.07)
  expect(storedThreshold(0.1, typedUnit('spend', 500_000))).toBe(50_000)
})

it('makes an alert of the metric and the filters of the chart', async () => {
  const sent = await draw({ metric: 'spend', filter: '[["channel","is","7"]]' }, 5_000_000)
  const form = within(await screen.findByRole('form', { name: 'New alert' }))
  expect(form.getByLabelText('Name')).toHaveProperty('value', 'Spend · Channel: name of 7')
  expect(form.getByLabelText('Threshold (US dollars)')).toHaveProperty('value', '2')
  await userEvent.selectOptions(form.getByLabelText('Time window'), '168')
  expect(form.getByLabelText('Threshold (US dollars)')).toHaveProperty('value', '14')
  await userEvent.click(form.getByRole('button', { name: 'Add alert' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'POST')).toBe(true))
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
    name: 'Spend · Channel: name of 7',
    metric: 'spend',
    mine: false,
    comparison: 'above',
    filters: [{ dimension: 'channel', is: 'is', values: ['7'] }],
    threshold: 7_000_000,
    window_hours: 168,
    enabled: true,
  })
})

it('lists own alerts with state and value, and switches, changes and deletes them', async () => {
  const sent = await draw({}, 1, [
    alert({ over_since: start, last_value: 6_000_000 }),
    alert({ id: 5, name: 'Slow', metric: 'first_p95', threshold: 2000, last_value: null, enabled: false }),
  ])
  const [first, second] = await screen.findAllByRole('listitem')
  expect(first?.textContent).toMatch(/Spend above \$10\.00 · the last 24 hours.*Above threshold.*Now \$12\.00/)
  expect(first?.textContent).toContain('Not delivered')
  expect(second?.textContent).toMatch(/First token p95 above .*Off.*No data/)
  await userEvent.click(screen.getByRole('switch', { name: 'Enable Too dear' }))
  await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ enabled: false }))
  await userEvent.click(screen.getByRole('button', { name: 'Edit alert: Too dear' }))
  const form = within(await screen.findByRole('form', { name: 'Edit alert' }))
  expect(form.getByLabelText('Threshold (US dollars)')).toHaveProperty('value', '10')
  await userEvent.clear(form.getByLabelText('Name'))
  await userEvent.type(form.getByLabelText('Name'), 'Far too dear')
  await userEvent.clear(form.getByLabelText('Threshold (US dollars)'))
  await userEvent.type(form.getByLabelText('Threshold (US dollars)'), '12.5')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PUT')[1]?.body).toEqual({
      name: 'Far too dear',
      metric: 'spend',
      filters: [],
      mine: false,
      comparison: 'above',
      threshold: 6_250_000,
      window_hours: 24,
      enabled: true,
    }),
  )
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit alert' })).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Delete alert: Too dear' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete alert' }))
  await waitFor(() => expect(sent.some(({ method }) => method === 'DELETE')).toBe(true))
})
