import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LedgerTable } from './components/ledger/ledger-table.tsx'
import { OrderStatus } from './components/orders/order-columns.tsx'
import { AuditScreen } from './features/audit/screen.tsx'
import { HomeScreen } from './features/home/screen.tsx'
import { TypeBadge } from './features/logs/columns.tsx'
import { LogsScreen } from './features/logs/screen.tsx'
import { SheetStrip } from './features/logs/sheet/overview.tsx'
import { testLog } from './features/logs/testing-log.ts'
import { optionOf, sectionOf } from './features/settings/registry.ts'
import { storeUser } from './lib/api/session.ts'
import { setLanguage } from './lib/i18n.ts'
import { highlight } from './lib/text/highlight.ts'
import { type FakeAnswer, fakeFetch } from './test/fake-fetch.ts'
import { renderConsole } from './test/render-console.tsx'

// Every object inherits members with these names. A server may send them as well, and then they are plain text.
const names = ['constructor', '__proto__', 'toString']

/** An object with these members of its own, also where one is called `__proto__`, as parsed JSON has them. */
const members = (value: unknown): Record<string, unknown> => Object.fromEntries(names.map((name) => [name, value]))

const page = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

const open = async (element: React.ReactNode, path: string, answers: Readonly<Record<string, FakeAnswer>>) => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {})
  fakeFetch(answers)
  await renderConsole(element, path)
  return complaints
}

beforeEach(() => {
  setLanguage('zh')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 10, status: 1, group: 'default' })
})

describe('rows whose values are names that every object inherits', () => {
  it('are shown in the log: model, group, key, and how the request ended', async () => {
    const rows = names.map((name, id) =>
      testLog({ id, model_name: name, group: name, token_name: name, username: name, other: { end: name as never } }),
    )
    const complaints = await open(<LogsScreen />, '/log?request_id=constructor&model_name=__proto__', {
      'GET /api/log/': () => page(rows),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    for (const name of names) expect((await screen.findAllByText(name)).length).toBeGreaterThanOrEqual(3)
    expect(complaints).not.toHaveBeenCalled()
  })

  it.each(names)('are shown in the details of a request: type and end %s', async (name) => {
    const log = testLog({ type: name as never, other: { end: name as never } })
    await open(<TypeBadge log={log} />, '/', {})
    expect(screen.getByText('未知')).toBeTruthy()
    await open(<SheetStrip log={testLog({ other: { end: name as never } })} />, '/', {})
    expect(screen.getByText(name)).toBeTruthy()
    expect(screen.queryByText('成功')).toBeNull()
  })

  it('are shown in the ledger: reason', async () => {
    const entries = names.map((name, id) => ({
      id,
      created_at: 1_900_000_000,
      reason: name,
      amount: -5,
      balance: 9,
      movement: `movement-${id}`,
      request_id: '',
      actor_id: 0,
      actor_name: '',
      note: '',
    }))
    const complaints = await open(<LedgerTable />, '/topup', {
      'GET /api/user/self/ledger': () => ({ items: entries, more: false }),
    })
    for (const name of names) expect(await screen.findByText(name)).toBeTruthy()
    expect(complaints).not.toHaveBeenCalled()
  })

  it.each(names)('are shown as the status of an order: %s', async (name) => {
    const complaints = await open(<OrderStatus status={name as never} />, '/', {})
    expect(screen.getByText(name)).toBeTruthy()
    expect(complaints).not.toHaveBeenCalled()
  })

  it('are shown on the trail: action, object and changed fields', async () => {
    const entries = names.map((name, id) => ({
      id,
      created_at: 1_900_000_000,
      actor_id: 1,
      actor_name: 'root',
      action: name,
      object: name,
      object_id: '5',
      before: {},
      after: members(name),
      ip: '192.0.2.1',
    }))
    await open(<AuditScreen />, '/audit', { 'GET /api/audit': () => page(entries), 'GET /api/audit/actions': () => [] })
    for (const name of names) expect(await screen.findByText(`root：${name} #5 · ${name}`)).toBeTruthy()
  })

  it('are shown among the calls of the site: dialect and path', async () => {
    const calls = names.map((name) => ({ method: 'POST', path: name, dialect: name }))
    await open(<HomeScreen />, '/', {
      'GET /api/home_page_content': () => '',
      'GET /api/offer': () => ({ calls, models: 1 }),
    })
    for (const name of names) expect((await screen.findAllByText(name)).length).toBeGreaterThanOrEqual(2)
  })
})

it.each(names)('code in the language %s is plain', (name) => expect(highlight('a = 1', name)).toBeUndefined())

it.each(names)('no setting is called %s', (name) => {
  expect(sectionOf(name)).toBeUndefined()
  expect(() => optionOf(name)).toThrow(`No option ${name}`)
})
