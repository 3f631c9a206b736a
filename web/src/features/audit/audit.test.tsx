import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { changeLine, changesText } from '../../components/audit/changes.ts'
import type { AuditEntry } from '../../lib/api/contract.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { AuditScreen } from './screen.tsx'

beforeEach(() => setLanguage('zh'))

const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 7,
  created_at: 1_900_000_000,
  actor_id: 1,
  actor_name: 'root',
  action: 'channel.update',
  object: 'channel',
  object_id: '5',
  before: { weight: 1, key: '***', tag: null },
  after: { weight: 2, key: '***', tag: 'eu' },
  ip: '192.0.2.1',
  ...fields,
})

const trail = (...items: AuditEntry[]) => ({
  'GET /api/audit': () => ({ items, total: items.length, page: 1, page_size: 10 }),
  'GET /api/audit/actions': () => ['channel.update', 'option.update', 'session.refused'],
})

describe('a change as text', () => {
  it.each([
    [{ field: 'weight', before: 1, after: 2 }, 'weight: 1 → 2'],
    [{ field: 'name', before: undefined, after: 'main' }, 'name: main'],
    [{ field: 'name', before: 'main', after: undefined }, 'name: main'],
    [{ field: 'ratio', before: { a: 1 }, after: 'x'.repeat(50) }, `ratio: {"a":1} → ${'x'.repeat(40)}…`],
  ])('reads %j', (change, text) => {
    expect(changeLine(change)).toBe(text)
  })

  it('names every field in exports', () => {
    expect(changesText(entry())).toBe('weight: 1 → 2; key: *** → ***; tag: null → eu')
  })
})

describe('the screen', () => {
  it('describes actor, action and object in a sentence', async () => {
    fakeFetch(
      trail(
        entry({ object_name: 'Azure' }),
        entry({ id: 6, action: 'option.update', object: 'option', object_id: 'RetryTimes' }),
        entry({ id: 5, actor_id: 0, actor_name: 'system', action: 'channel.auto_disable' }),
        entry({
          id: 4,
          actor_id: 0,
          actor_name: '',
          action: 'session.refused',
          object: 'session',
          object_id: '1',
          object_name: 'alice',
        }),
        entry({ id: 3, action: 'robot.paint', object: 'robot', object_id: 'r2' }),
      ),
    )
    await renderConsole(<AuditScreen />, '/audit')
    expect(await screen.findByText('root 修改了渠道 Azure')).toBeTruthy()
    expect(screen.getByText('root 修改了设置 RetryTimes')).toBeTruthy()
    expect(screen.getByText('系统自动禁用了渠道 #5')).toBeTruthy()
    expect(screen.getByText('alice 登录失败')).toBeTruthy()
    expect(screen.getByText('root：robot r2 · robot.paint')).toBeTruthy()
    expect(screen.getAllByText(/^权重 1 → 2 ·/).length).toBeGreaterThan(0)
  })

  it('shows old and new side by side, and of a secret only that it changed', async () => {
    fakeFetch(trail(entry()))
    await renderConsole(<AuditScreen />, '/audit?id=7')
    const sheet = await screen.findByRole('dialog', { name: 'root 修改了渠道 #5' })
    const fields = within(sheet)
      .getAllByRole('listitem')
      .map((item) => item.textContent)
    expect(fields).toEqual(['weight修改前1修改后2', 'key修改前*** 已隐藏修改后*** 已隐藏', 'tag修改前无修改后eu'])
    expect(within(sheet).getByRole('link', { name: '打开渠道 #5' }).getAttribute('href')).toBe('/channel/edit/5')
  })

  it('asks for an entry that is not on the page', async () => {
    const sent = fakeFetch({
      ...trail(),
      'GET /api/audit': (call) => ({
        items: call.query.id === '99' ? [entry({ id: 99 })] : [],
        total: 0,
        page: 1,
        page_size: 10,
      }),
    })
    await renderConsole(<AuditScreen />, '/audit?id=99')
    expect(await screen.findByRole('dialog', { name: 'root 修改了渠道 #5' })).toBeTruthy()
    expect(sent.some((call) => call.path === '/api/audit' && call.query.id === '99')).toBe(true)
  })

  it('filters by what a row is about, and keeps the filter in the address', async () => {
    const sent = fakeFetch(trail(entry()))
    const { router } = await renderConsole(<AuditScreen />, '/audit')
    await userEvent.click(await screen.findByRole('button', { name: /的操作$/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '只看 渠道 #5 的记录' }))
    expect(await screen.findByRole('button', { name: '对象 ID：5' })).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ object: 'channel', object_id: '5' })
    expect(sent.at(-1)?.query).toMatchObject({ object: 'channel', object_id: '5' })
  })
})
