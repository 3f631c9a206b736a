import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { call, whenSignedOut } from './api.ts'
import { calls } from './contract.ts'
import { offerRenewal, putOffRenewal, renewalStore, sessionRenewed } from './renew-session.ts'
import { forgetUser, storedUser, storeUser } from './session.ts'

const alice = { id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' }
const expired = () => refused('未登录', 'unauthorized', 401)

/** A server whose session ended before the first of these calls and is there again once `isBack`. */
const serve = () => {
  const state = { isBack: false }
  const sent = fakeFetch({
    'GET /api/user/self': () => (state.isBack ? alice : expired()),
    'DELETE /api/token/3': () => (state.isBack ? null : expired()),
  })
  return { state, sent }
}

describe('a session that ends while its page stays', () => {
  let end = (): void => {}
  beforeEach(() => {
    storeUser(alice)
    end = offerRenewal()
  })
  afterEach(() => {
    end()
    forgetUser()
  })

  it('is renewed by its user: what waits is sent once more, and the user stays meanwhile', async () => {
    const { state, sent } = serve()
    const removed = call(calls.deleteToken, { params: { id: 3 } })
    const read = call(calls.getSelf)
    await expect.poll(() => renewalStore.get()).toBe('asking')
    expect(storedUser()?.id).toBe(7)
    state.isBack = true
    sessionRenewed()
    await expect(removed).resolves.toBeNull()
    await expect(read).resolves.toMatchObject({ id: 7 })
    expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(2)
  })

  it('sends nothing a third time when the session is refused again', async () => {
    const { sent } = serve()
    const removed = call(calls.deleteToken, { params: { id: 3 } })
    await expect.poll(() => renewalStore.get()).toBe('asking')
    sessionRenewed()
    await expect(removed).rejects.toMatchObject({ status: 401 })
    expect(sent).toHaveLength(2)
    expect(storedUser()?.id).toBe(7)
  })

  it('is put off: what waits fails, reads ask no more, a change asks again', async () => {
    serve()
    const removed = call(calls.deleteToken, { params: { id: 3 } })
    await expect.poll(() => renewalStore.get()).toBe('asking')
    putOffRenewal()
    await expect(removed).rejects.toMatchObject({ status: 401 })
    await expect(call(calls.getSelf)).rejects.toMatchObject({ status: 401 })
    expect(renewalStore.get()).toBe('put_off')
    const again = call(calls.deleteToken, { params: { id: 3 } })
    await expect.poll(() => renewalStore.get()).toBe('asking')
    putOffRenewal()
    await expect(again).rejects.toMatchObject({ status: 401 })
  })

  it('is over where the page cannot ask', async () => {
    end()
    serve()
    let isOut = false
    whenSignedOut(() => {
      isOut = true
    })
    await expect(call(calls.getSelf)).rejects.toMatchObject({ status: 401 })
    expect([isOut, storedUser()]).toEqual([true, undefined])
  })
})
