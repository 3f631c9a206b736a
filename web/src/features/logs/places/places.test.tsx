import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetUser, storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { exportColumns } from '../export-columns.ts'
import { figureLinkOfLog } from '../figures-of-log.ts'
import { LogsScreen } from '../screen.tsx'
import { testLog } from '../testing-log.ts'

const page = (items: unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })
const place = {
  organisation: { id: 5, name: 'Northwind' },
  project: { id: 11, name: 'Search' },
  member: { id: 9, name: 'Linus' },
}
let sent: Sent[]

const open = async (
  user: { role: number; organisations: 'belongs' | 'closed' },
  rows: readonly Parameters<typeof testLog>[0][],
  search = '',
): Promise<void> => {
  storeUser({ id: 7, username: 'alice', display_name: '', status: 1, group: 'default', ...user })
  const list = () => page(rows.map((row, index) => testLog({ id: index + 1, request_id: `req-${index}`, ...row })))
  const stat = () => ({ quota: 1, rpm: 2, tpm: 3 })
  sent = fakeFetch({
    'GET /api/user/models': () => [],
    'GET /api/user/self/groups': () => ({}),
    'GET /api/token/browse': () => page([]),
    'GET /api/log/': list,
    'GET /api/log/stat': stat,
    'GET /api/log/self': list,
    'GET /api/log/self/stat': stat,
    'GET /api/organisation/site': () => [{ id: 5, name: 'Northwind' }],
    'GET /api/organisation/site/5': () => ({
      id: 5,
      projects: [{ id: 12, name: 'Papers' }],
      members: [{ user_id: 8, username: 'grace', display_name: '' }],
    }),
  })
  await renderConsole(<LogsScreen />, `/log${search}`)
  await screen.findAllByText('gpt-4o')
}
const columns = async (): Promise<string[]> => {
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const known = ['Organisation', 'Project', 'Member', 'Cost tags']
  await screen.findAllByText('Request ID')
  return known.filter((name) => screen.queryAllByText(name).length > 0)
}

beforeEach(() => setLanguage('en'))
afterEach(() => {
  cleanup()
  forgetUser()
  vi.unstubAllGlobals()
})

describe('what the log says of organisations', () => {
  it('is nothing to somebody who works alone, and to administrators of a site without any', async () => {
    await open({ role: 1, organisations: 'closed' }, [{}])
    expect(await columns()).toEqual([])
    cleanup()
    await open({ role: 10, organisations: 'closed' }, [{}])
    expect(await columns()).toEqual([])
    expect(sent.map(({ path }) => path)).not.toContain('/api/organisation/site')
  })

  it('is tags for people, once a call has some or they belong to one', async () => {
    await open({ role: 1, organisations: 'closed' }, [{ tags: { env: 'test' } }])
    expect(await columns()).toEqual(['Cost tags'])
    cleanup()
    await open({ role: 1, organisations: 'belongs' }, [{}])
    expect(await columns()).toEqual(['Cost tags'])
  })

  it('is all of it for administrators, whose filters reach the list and its figures', async () => {
    await open({ role: 10, organisations: 'belongs' }, [{ place }], '?organisation_id=5&member_id=9&tag=env%3Dtest')
    const wanted = { organisation_id: '5', member_id: '9', tag: 'env=test' }
    for (const path of ['/api/log/', '/api/log/stat'])
      expect(sent.find((call) => call.path === path)?.query, path).toMatchObject(wanted)
    expect(await columns()).toEqual(['Organisation', 'Project', 'Member', 'Cost tags'])
    // The wallet that pays has a name that says nothing.
    expect(screen.queryByText('alice', { selector: 'td *' })).toBeNull()
  })

  it('stands with the call, machines by their word', async () => {
    const row = { place: { ...place, member: null }, tags: { cost_centre: '7' } }
    await open({ role: 10, organisations: 'belongs' }, [row], '?request=req-0')
    const sheet = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(sheet.getByText('Northwind · Search · Machine')).toBeTruthy())
    expect(sheet.getByText('cost_centre=7')).toBeTruthy()
  })

  it('goes on into figures and into files', () => {
    const filters = { organisation_id: '5', project_id: '11', tag: 'env=test', member_id: '9' }
    expect(figureLinkOfLog(filters, []).filters).toEqual([
      { dimension: 'organisation', is: 'is', values: ['5'] },
      { dimension: 'project', is: 'is', values: ['11'] },
      { dimension: 'tag', is: 'is', values: ['env=test'] },
    ])
    expect(exportColumns(['organisation', 'member', 'tags'])).toEqual(['organisation', 'member', 'tags', 'request_id'])
  })
})
