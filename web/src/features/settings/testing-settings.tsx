import { screen, waitFor } from '@testing-library/react'
import setUpUser, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { expect } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { statusStore } from '../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { allSections, keysOf, optionOf, placeOf, sectionsOf } from './registry.ts'
import { standardOf } from './saving/problem.ts'
import { loadChecks } from './saving/use-checks.ts'
import { SettingsScreen } from './screen.tsx'

export const userEvent = setUpUser.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
const person = (role: number) => ({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
const plainKeys = allSections.flatMap((section) => keysOf(section, 100)).filter((key) => !optionOf(key).secret)

interface OpenOptions {
  role?: number
  values?: Readonly<Record<string, string>>
  problems?: Readonly<Record<string, string>>
  secrets?: readonly string[]
  answers?: Readonly<Record<string, FakeAnswer>>
  /** The server answers no more questions once something was saved. */
  awayAfterSaving?: boolean
}

const nothingChanges = {
  models: [],
  groups: [],
  tools: [],
  tiers: [],
  quota_per_unit: { before: 500_000, after: 500_000 },
  traffic: {
    basis: 'none',
    from: 0,
    to: 0,
    receipts: 0,
    without_receipt: 0,
    calls: 0,
    charged: 0,
    current: 0,
    proposed: 0,
    models: [],
  },
}

/** Opens the screen at `path` with a server that stores the saved options. */
export const open = async (path: string, options: OpenOptions = {}) => {
  const role = options.role ?? 100
  storeUser(person(role))
  const values = new Map(plainKeys.map((key) => [key, standardOf(key)]))
  const secrets = new Set(options.secrets)
  for (const [key, value] of Object.entries(options.values ?? {})) values.set(key, value)
  const list = () => {
    if (options.awayAfterSaving && sent.some(({ method }) => method === 'PUT')) return refused('数据库忙')
    return Response.json({
      success: true,
      message: '',
      data: [...values]
        .filter(([key]) => optionOf(key).see <= role)
        .map(([key, value]) => ({
          key,
          value,
          ...(options.problems?.[key] ? { problem: options.problems[key] } : {}),
        })),
      stored_secrets: [...secrets],
    })
  }
  const keep: FakeAnswer = ({ body }) => {
    for (const { key, value } of (body as { changes: { key: string; value: string }[] }).changes) {
      if (!optionOf(key).secret) values.set(key, value)
      else if (value === '') secrets.delete(key)
      else secrets.add(key)
    }
    return { refused: [] }
  }
  const sent = fakeFetch({
    'GET /api/option/': list,
    'PUT /api/option/batch': keep,
    'POST /api/option/price_preview': () => nothingChanges,
    'GET /api/pricing': () => Response.json({ success: true, data: [], group_ratio: {}, usable_group: {} }),
    'GET /api/status': () => statusStore.get(),
    'GET /api/system/info': () => ({
      version: 'v0.1.0',
      start_time: 1_763_000_000,
      node_name: 'one',
      node_type: 'master',
      runtime: 'Node v24',
      database: 'sqlite',
      log_database: null,
      redis: false,
      backups: null,
    }),
    ...options.answers,
  })
  await loadChecks()
  const view = await renderConsole(<SettingsScreen />, path)
  await screen.findByText('运营设置')
  await waitFor(() => {
    const { pathname, search } = view.router.state.location
    const place = placeOf(pathname, search)
    const drawn = place.section || place.tab === undefined ? 1 : sectionsOf(place.tab, role).length
    expect(
      document.querySelectorAll('section[aria-labelledby^=settings-]:not([aria-labelledby=settings-system])'),
    ).toHaveLength(drawn)
  })
  const saves = () => sent.filter((call) => call.method === 'PUT').map((call) => call.body)
  return { ...view, sent, saves, values, secrets }
}

// Looking things up by role takes long on a page of this size.
export const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((each) => nameOf(each) === name)
  if (!found) throw new Error(`no button ${name}`)
  return found
}
const nameOf = (element: Element): string | null => element.getAttribute('aria-label') ?? element.textContent
export const box = (key: string): HTMLInputElement => {
  const found = document.getElementById(`option-${key}`)?.querySelector<HTMLInputElement>('input, textarea, select')
  if (!found) throw new Error(`no field of ${key}`)
  return found as HTMLInputElement
}
export const group = (key: string): HTMLElement => document.getElementById(`option-${key}`) as HTMLElement
export const press = (name: string) => userEvent.click(button(name))
export const changed = (...changes: unknown[]) => ({ changes })
