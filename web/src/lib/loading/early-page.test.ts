import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { call } from '../api/api.ts'
import { calls, role } from '../api/contract.ts'
import { forgetUser, storeUser } from '../api/session.ts'
import { beginEarlyReads } from './early-page.ts'
import { endEarlyReads } from './early-reads.ts'

const signIn = (id: number, as: number) =>
  storeUser({ id, username: 'root', display_name: '', role: as, status: 1, group: 'default' })

const list = '/api/channel/browse'
const first = { query: { p: 1, page_size: 25 } }
const begin = () => beginEarlyReads('/channel', 'admin', (read) => read(calls.browseChannels, first))

describe('what the page asks for before the console is there', () => {
  let sent: ReturnType<typeof fakeFetch>
  beforeEach(() => {
    sent = fakeFetch({
      [`GET ${list}`]: () => ({ items: [], total: 3 }),
      'GET /api/session': () => ({ id: 1 }),
      'GET /api/user/:id/overview': () => ({ id: 7 }),
    })
    signIn(1, role.admin)
  })
  afterEach(() => {
    endEarlyReads()
    forgetUser()
  })

  it('is taken by the call with the same address, once', async () => {
    begin()
    expect(sent.map(({ path }) => path)).toEqual([list, '/api/session'])
    expect(await call(calls.browseChannels, first)).toMatchObject({ total: 3 })
    expect(sent).toHaveLength(2)
    await call(calls.browseChannels, first)
    expect(sent).toHaveLength(3)
  })

  it('is not given to another user, nor later on', async () => {
    begin()
    signIn(2, role.admin)
    await call(calls.browseChannels, first)
    signIn(1, role.admin)
    endEarlyReads()
    await call(calls.browseChannels, first)
    expect(sent.filter(({ path }) => path === list)).toHaveLength(3)
  })

  it('is nothing where the user may not see the page', () => {
    signIn(1, role.user)
    begin()
    forgetUser()
    begin()
    expect(sent).toEqual([])
  })

  it('knows the parameters and the filters of the address', () => {
    history.replaceState(null, '', '/user/7?range=1h')
    beginEarlyReads('/user/$id', 'admin', (read, search, { id }) => {
      expect(search).toEqual({ range: '1h' })
      read(calls.getUserOverview, { params: { id: Number(id) } })
    })
    expect(sent[0]?.path).toMatch(/\/7/)
    history.replaceState(null, '', '/')
  })
})
