import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FigureReport } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { preferencesStore } from '#web/lib/preferences/preferences.ts'
import { statusStore } from '#web/lib/status.ts'
import { figureSearch, readFilters } from '#web/lib/url/figure-link.ts'
import { fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { explorePage } from './page.ts'
import { changeText } from './question/figure-text.ts'
import { logSearchOf } from './question/log-search.ts'
import { choicesFor, goesWith, readView } from './question/view.ts'
import { ExploreScreen } from './screen.tsx'

const day = 86_400
const start = 1_763_596_800

let user = 900
const signIn = (role: number): void => {
  user += 1
  storeUser({ id: user, username: 'alice', display_name: '', role, status: 1, group: 'default' })
}

beforeEach(() => {
  forgetUser()
  setLanguage('en')
  statusStore.set({
    ...statusStore.get(),
    enable_data_export: true,
    display_in_currency: true,
    quota_per_unit: 500_000,
  })
})

const figures = { value: 500_000, before: 400_000, share: 0.5, calls: 4, cache_share: 0.782, first_p95: 1880 }
const row = (key: string, more: object = {}) => ({ key, name: key, rest: false, ...figures, ...more })

const report = (more: Partial<FigureReport> = {}): FigureReport => ({
  from: start,
  to: start + 2 * day,
  rollup: 'day',
  utc_days: false,
  buckets: [start, start + day],
  series: [
    { key: 'gpt-6', name: 'gpt-6', rest: false, values: [100_000, 400_000] },
    { key: 'rest', name: '', rest: true, values: [0, 500_000] },
  ],
  sums: [100_000, 900_000],
  sums_before: [400_000, 400_000],
  rows: [
    { ...row('gpt-6'), rows: [row('7', { name: 'Azure Sweden', value: 250_000 })] },
    { ...row('rest', { name: '', rest: true }), rows: [] },
  ],
  rest_values: 16,
  more: false,
  total: { ...figures, value: 1_000_000, before: 800_000, share: 1, calls: 8 },
  refresh_minutes: 5,
  ...more,
})

const events = [
  {
    id: 3,
    at: start + day + 50,
    kind: 'channel_auto_disabled',
    channel_id: 7,
    name: 'Azure',
    detail: 'status 401',
    actor: 'system',
    entry: {
      actor_id: 0,
      action: 'channel.auto_disable',
      object: 'channel',
      object_id: '7',
      before: { status: 1 },
      after: { status: 3, reason: 'status 401' },
    },
  },
]

const draw = async (path = '/explore', answer: unknown = report()) => {
  const sent = fakeFetch({
    'GET /api/explore': () => answer,
    'GET /api/explore/self': () => answer,
    'GET /api/explore/events': () => events,
  })
  return { sent, ...(await renderConsole(<ExploreScreen />, path)) }
}

describe('the question', () => {
  it('is drawn as bars unless its address says otherwise', () => {
    expect(readView({}, true).form).toBe('bar')
    expect(readView({ form: 'area' }, true).form).toBe('area')
  })

  it('is read from the address, and never asks for what is for operators', () => {
    const search = {
      metric: 'margin',
      by: 'user',
      second: 'channel',
      filter: '[["user","is","3"],["model","not","a"]]',
    }
    expect(readView(search, true)).toMatchObject({ metric: 'margin', by: 'user', second: 'channel', mine: false })
    expect(readView(search, false)).toMatchObject({
      metric: 'spend',
      by: 'model',
      second: undefined,
      mine: true,
      filters: [{ dimension: 'model', is: 'not', values: ['a'] }],
    })
    expect(choicesFor({ mine: true }).dimensions).toEqual([
      'model',
      'key',
      'group',
      'status',
      'session',
      'end_user',
      'tag',
    ])
  })

  it('never asks together what is not kept together', () => {
    const filter = '[["session","is","s1"],["group","is","vip"]]'
    expect(readView({ metric: 'first_p95', by: 'session', second: 'model', filter }, true)).toMatchObject({
      metric: 'first_p95',
      by: 'model',
      second: undefined,
      filters: [{ dimension: 'group', is: 'is', values: ['vip'] }],
    })
    expect(readView({ metric: 'margin', by: 'session', second: 'group' }, true)).toMatchObject({
      metric: 'margin',
      by: 'session',
      second: undefined,
    })
    const view = readView({ metric: 'spend', by: 'session' }, true)
    expect([goesWith(view, { metric: 'first_p50' }), goesWith(view, { metric: 'cost' })]).toEqual([false, true])
    expect([goesWith(view, { second: 'status' }), goesWith(view, { second: 'user' })]).toEqual([false, true])
  })

  it('leaves out filters that cannot be read', () => {
    for (const text of ['no json', '{}', '[["price","is","1"]]', '[["model","is"]]', '[["model","like","a"]]', '[7]'])
      expect(readFilters(text, ['model'])).toEqual([])
  })

  it('has one address for lists that lead here', () => {
    expect(explorePage.leadsFrom).toEqual({ figures: true })
    const link = figureSearch({ metric: 'errors', filters: [{ dimension: 'channel', is: 'is', values: ['7'] }] })
    expect(readView(link, true)).toMatchObject({
      metric: 'errors',
      filters: [{ dimension: 'channel', is: 'is', values: ['7'] }],
    })
  })

  it('becomes the filters of the log where the log has them', () => {
    const range = { from: 1, to: 2 }
    const nameOf = () => 'prod'
    expect(
      logSearchOf(
        {},
        range,
        {
          values: [
            { dimension: 'model', key: 'a', name: 'a' },
            { dimension: 'status', key: 'timeout', name: '' },
            { dimension: 'key', key: '9', name: 'prod', owner: 'alice' },
          ],
          filters: [
            { dimension: 'key', is: 'not', values: ['4'] },
            { dimension: 'channel', is: 'is', values: ['7'] },
            { dimension: 'group', is: 'is', values: ['x', 'y'] },
          ],
        },
        nameOf,
      ),
    ).toEqual({ range: '1..2', token_name: 'prod', username: 'alice', channel: '7', model_name: '"a"', type: '5' })
  })
})

describe('texts of figures', () => {
  it('have a sign where they are changes', () => {
    expect(changeText(110.8, 100)).toBe('+10.8%')
    expect(changeText(90, 100)).toBe('−10.0%')
    expect(changeText(5, 0)).toBe('—')
  })
})

describe('Explore', () => {
  it('shows the sum, the legend with the second dimension, and what happened', async () => {
    signIn(10)
    await draw('/explore?second=channel')
    expect(await screen.findAllByText('$2.00')).toHaveLength(2)
    const legend = within(screen.getByRole('table', { name: 'Model, then Channel' }))
    const rows = legend.getAllByRole('row').map((line) => line.textContent)
    expect(rows[1]).toContain('gpt-6$1.0050.0%+25.0%478.2%1.88 s')
    expect(rows[2]).toContain('Azure Sweden$0.50')
    expect(rows[3]).toContain('Other, 16')
    expect(rows[4]).toContain('Total')
    expect(
      await screen.findByRole('link', { name: /System disabled channel Azure automatically.*reason status 401/ }),
    ).toBeTruthy()
    const log = legend.getByRole('link', { name: 'Log for Azure Sweden' }).getAttribute('href') ?? ''
    expect(Object.fromEntries(new URLSearchParams(log.split('?')[1]))).toEqual({
      range: `${start}..${start + 2 * day - 1}`,
      model_name: '"gpt-6"',
      channel: '7',
    })
  })

  it('narrows to a value, and takes the filter away again', async () => {
    signIn(10)
    const { router, sent } = await draw()
    await userEvent.click(await screen.findByRole('button', { name: 'gpt-6' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ filter: '[["model","is","gpt-6"]]' }))
    await waitFor(() =>
      expect(sent.at(-1)?.query.filters ?? sent.at(-2)?.query.filters).toBe(
        '[{"dimension":"model","is":"is","values":["gpt-6"]}]',
      ),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: Model: gpt-6' }))
    await waitFor(() => expect(router.state.location.search).toEqual({}))
  })

  it('filters by values that are chosen by name, with the calls of each', async () => {
    signIn(10)
    const { router, sent } = await draw()
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }))
    await userEvent.click(await screen.findByLabelText('gpt-6'))
    await userEvent.click(screen.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ filter: '[["model","is","gpt-6"]]' }))
    expect(sent.find(({ query }) => query.top === '50')?.query).toMatchObject({ metric: 'calls', by: 'model' })
  })

  it('reads points with the keyboard, and opens the log of those that are held', async () => {
    signIn(10)
    const { router } = await draw()
    const chart = await screen.findByRole('slider')
    fireEvent.keyDown(chart, { key: 'ArrowRight' })
    expect(chart.getAttribute('aria-valuetext')).toContain('$0.20')
    fireEvent.keyDown(chart, { key: 'ArrowRight', shiftKey: true })
    fireEvent.keyDown(chart, { key: 'Enter' })
    await waitFor(() => expect(router.state.location.pathname).toBe('/log'))
    expect(router.state.location.search).toEqual({ range: `${start}..${start + 2 * day - 1}` })
  })

  it('has every point in a table', async () => {
    signIn(10)
    await draw('/explore?form=table')
    const table = within(await screen.findByRole('table', { name: 'Spend' }))
    expect(table.getAllByRole('row')).toHaveLength(3)
    expect(table.getByRole('columnheader', { name: 'Other, 16' })).toBeTruthy()
  })

  it('asks for own figures alone, and for no events, where a user looks', async () => {
    signIn(1)
    const { sent } = await draw()
    await screen.findAllByText('$2.00')
    expect(sent.map(({ path }) => path)).toEqual(['/api/explore/self'])
    expect(screen.queryByRole('link', { name: 'Margin' })).toBeNull()
  })

  it('saves the question as a board, which becomes a tab and may open the page', async () => {
    signIn(1)
    await draw('/explore?metric=calls&by=key')
    await userEvent.click(await screen.findByRole('button', { name: 'Save board' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'My keys')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    expect(Object.values(preferencesStore.get().all.views)).toEqual([
      { table: 'explore', name: 'My keys', search: { metric: 'calls', by: 'key' } },
    ])
    const tab = await screen.findByRole('link', { name: 'My keys' })
    expect(tab.getAttribute('aria-current')).toBe('page')
    await userEvent.click(screen.getByRole('button', { name: 'Board actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Set as default' }))
    expect(Object.keys(preferencesStore.get().all.default_views)).toEqual(['explore'])
  })

  it('renames a board, and keeps what was changed in it', async () => {
    signIn(1)
    preferencesStore.change({ views: { 'b-1': { table: 'explore', name: 'My keys', search: { by: 'key' } } } })
    const { router } = await draw('/explore?by=key')
    await userEvent.click(await screen.findByRole('button', { name: 'Board actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename or share board' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Name' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Keys')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await screen.findByRole('link', { name: 'Keys' })
    await act(() => router.navigate({ to: '/explore', search: { by: 'key', metric: 'calls' } as never }))
    expect(await screen.findByText('“Keys” has unsaved changes · mine')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Board actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Save changes' }))
    await waitFor(() =>
      expect(preferencesStore.get().all.views).toEqual({
        'b-1': { table: 'explore', name: 'Keys', search: { by: 'key', metric: 'calls' } },
      }),
    )
  })

  it('says that nothing matches, and shows a failure with a way on', async () => {
    signIn(10)
    const nothing = report({ series: [], rows: [], total: { ...figures, value: 0, calls: 0 } })
    const { unmount } = await draw('/explore?filter=[["model","is","x"]]', nothing)
    expect(await screen.findByText('No matching calls')).toBeTruthy()
    unmount()
    await draw('/explore', refused('broken'))
    expect(await screen.findByRole('alert')).toBeTruthy()
  })
})
