import { type Option, options, status as statusSchema } from '@tollgate/contract'
import { describe, expect, it, vi } from 'vitest'
import { databaseHealth } from './join.ts'
import { openStatus } from './status.ts'

const registry = Object.entries<Option<unknown>>(options)
const defaults = Object.fromEntries(registry.map(([key, option]) => [key, option.fallback]))
const statusWith = (changed: Record<string, unknown>) =>
  openStatus({
    identityProviders: () => [],
    version: 'v1.2.3',
    startTime: 1_700_000_000,
    values: () => ({ ...defaults, ...changed }),
  }).statusObject()

describe('the status', () => {
  it('has every field of the contract, and no field the contract does not name', () => {
    const status = statusWith({})
    expect(statusSchema.safeParse(status).error).toBeUndefined()
    expect(Object.keys(status).sort()).toEqual(Object.keys(statusSchema.shape).sort())
  })

  it('states the values of the options', () => {
    const status = statusWith({ SystemName: 'Gate', RegisterEnabled: false, Footer: '<b>x</b>', MinTopUp: 5 })
    expect(status).toMatchObject({
      version: 'v1.2.3',
      start_time: 1_700_000_000,
      setup: true,
      system_name: 'Gate',
      register_enabled: false,
      footer_html: '<b>x</b>',
      min_topup: 5,
      price: 7.3,
      quota_per_unit: 500_000,
      chat_link: '',
    })
    expect(status.chats).toEqual([])
  })

  it('opens online top-up only when gateway, merchant and key are all set', () => {
    const payment = { PayAddress: 'https://pay.example', EpayId: '1', EpayKey: 'secret' }
    expect(statusWith(payment).enable_online_topup).toBe(true)
    for (const missing of Object.keys(payment)) {
      expect(statusWith({ ...payment, [missing]: '' }).enable_online_topup).toBe(false)
    }
  })

  it('never holds a secret', () => {
    const secrets = registry.filter(([, option]) => option.secret).map(([key]) => [key, 'top secret'] as const)
    expect(secrets.length).toBeGreaterThan(0)
    expect(JSON.stringify(statusWith(Object.fromEntries(secrets)))).not.toContain('top secret')
  })

  it('is built once per change', () => {
    let values = { ...defaults }
    const providers: readonly [] = []
    const status = openStatus({ version: 'v1', startTime: 1, values: () => values, identityProviders: () => providers })
    const first = status.statusObject()
    expect(status.statusObject()).toBe(first)
    values = { ...values, SystemName: 'Gate' }
    expect(status.statusObject().system_name).toBe('Gate')
  })
})

describe('the health of the database', () => {
  it('is asked at most once in ten seconds', async () => {
    let now = 0
    const ping = vi.fn(async () => {})
    const answers = databaseHealth({ ping, clock: () => now })
    expect([await answers(), await answers()]).toEqual([true, true])
    expect(ping).toHaveBeenCalledTimes(1)
    now = 10_000
    await answers()
    expect(ping).toHaveBeenCalledTimes(2)
  })

  it('is bad while the database does not answer', async () => {
    const answers = databaseHealth({ ping: () => Promise.reject(new Error('gone')), clock: () => 0 })
    expect(await answers()).toBe(false)
  })
})
