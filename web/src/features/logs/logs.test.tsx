import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { logColumns } from './columns.tsx'
import { useLogMessages } from './messages.ts'
import { LogsScreen } from './screen.tsx'
import { logAnswers, signInAs, testLog, testPage } from './testing-log.ts'

const { say } = useLogMessages

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})

describe('the screen', () => {
  it('asks an ordinary user only for what is theirs', async () => {
    signInAs(1)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?model_name=gpt-4o')
    expect(await screen.findByText('gpt-4o')).toBeTruthy()
    expect(sent.some((call) => call.path === '/api/log/')).toBe(false)
    const list = sent.find((call) => call.path === '/api/log/self')
    expect(list?.query.model_name).toBe('gpt-4o')
    expect(Number(list?.query.end_timestamp)).toBeGreaterThan(Number(list?.query.start_timestamp))
    expect(list?.query).not.toHaveProperty('range')
  })

  it.each([
    ['', 2],
    ['?sort=id', 2],
    ['?sort=-quota', 0],
  ])('draws the thread of a session between rows in the order of time only: %s', async (search, dots) => {
    signInAs(1)
    const other = { session: { id: 'abcdef', state: 'hit' as const } }
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog({ other }), testLog({ id: 2, request_id: 'req-2', other })]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, `/log${search}`)
    expect(await screen.findAllByText('abcd')).toHaveLength(2)
    expect(document.querySelectorAll('[data-lane] circle')).toHaveLength(dots)
  })

  it('reads again by itself where that is wished, and waits while the reader has scrolled down', async () => {
    signInAs(1)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log')
    const scrollTo = (top: number): void => {
      vi.stubGlobal('scrollY', top)
      act(() => void window.dispatchEvent(new Event('scroll')))
    }
    await userEvent.click(await screen.findByRole('button', { name: '实时' }))
    scrollTo(400)
    expect(await screen.findByRole('button', { name: '已暂停' })).toBeTruthy()
    scrollTo(0)
    expect(await screen.findByRole('button', { name: '实时', pressed: true })).toBeTruthy()
    const before = sent.filter(({ path }) => path === '/api/log/self').length
    await waitFor(() => expect(sent.filter(({ path }) => path === '/api/log/self').length).toBeGreaterThan(before))
  })

  it('goes on after the last row of a page when it is turned, and counts off where it was jumped to', async () => {
    signInAs(10)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/': ({ query }) => ({
        ...testPage([testLog({ id: Number(query.p), request_id: `req-${query.p}` })]),
        total: 10_000,
        total_capped: true,
        next: `17636.${query.p}`,
      }),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/clear': () => ({ count: 0, running: null }),
    })
    await renderConsole(<LogsScreen />, '/log?p=4&size=10')
    const pages = () => sent.filter(({ path }) => path === '/api/log/').map(({ query }) => [query.p, query.after])
    await screen.findByText(/第 31–31 条/)
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText(/第 41–41 条/)
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText(/第 51–51 条/)
    expect(pages()).toEqual([
      ['4', undefined],
      ['5', '17636.4'],
      ['6', '17636.5'],
    ])
  })

  it('saves everything that fits as the server makes it, with the filters in force', async () => {
    signInAs(1)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/export': () =>
        new Response('id', { headers: { 'content-disposition': 'attachment; filename="logs.csv"' } }),
    })
    await renderConsole(<LogsScreen />, '/log?group=vip&type=2')
    await userEvent.click(await screen.findByRole('button', { name: '导出' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '导出全部结果 CSV' }))
    expect(await screen.findByText('导出完成')).toBeTruthy()
    const request = sent.find(({ path }) => path === '/api/log/self/export')
    expect(request?.query).toMatchObject({ group: 'vip', type: '2', format: 'csv' })
    expect(request?.query).not.toHaveProperty('p')
    expect(request?.headers.get('New-API-User')).toBe('7')
  })

  it('suggests what there is, counted with the other filters, and means it exactly', async () => {
    signInAs(1)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/facets': () => ({ values: [{ value: 'claude', count: 1234 }], capped: false }),
    })
    const { router } = await renderConsole(<LogsScreen />, '/log?group=vip')
    await userEvent.click(await screen.findByRole('button', { name: '按模型筛选' }))
    await userEvent.click(await screen.findByRole('combobox', { name: '模型' }))
    await screen.findByText('1,234')
    const options = within(screen.getByRole('listbox')).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['claude1,234', 'gpt-4o0'])
    expect(sent.find(({ path }) => path === '/api/log/self/facets')?.query).toMatchObject({
      facet: 'model_name',
      group: 'vip',
    })
    await userEvent.click(options[0] as HTMLElement)
    await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ model_name: '"claude"' }))
  })

  it('is narrowed to a program, by its chip or by a cell of its column', async () => {
    signInAs(1)
    const sent = fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog({ other: { client: 'Codex' } })]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/facets': () => ({ values: [{ value: 'Claude Code', count: 41 }], capped: true }),
    })
    const { router } = await renderConsole(<LogsScreen />, '/log?group=vip')
    await userEvent.click(await screen.findByRole('button', { name: '按客户端筛选' }))
    await userEvent.click(await screen.findByRole('combobox', { name: '客户端' }))
    const options = await within(await screen.findByRole('listbox')).findAllByRole('option')
    expect(options[0]?.textContent).toContain('Claude Code')
    expect(options[1]?.textContent).toContain('Codex')
    expect(sent.find(({ path }) => path === '/api/log/self/facets')?.query).toMatchObject({
      facet: 'client',
      group: 'vip',
    })
    await userEvent.click(options[0] as HTMLElement)
    await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ client: 'Claude Code' }))
    await vi.waitFor(() =>
      expect(sent.findLast(({ path }) => path === '/api/log/self')?.query.client).toBe('Claude Code'),
    )
    const [column] = logColumns(say, { isAdmin: false }).filter(({ id }) => id === 'client')
    expect(column?.filters?.(testLog({ other: { client: 'Codex' } }))).toEqual([{ facet: 'client', value: 'Codex' }])
  })
})
