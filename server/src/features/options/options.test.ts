import { options as registry } from '@tollgate/contract'
import { expect, it, vi } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { admin, openTestOptions, root } from '../../../test/support/features/options.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../lib/log.ts'
import { type Bus, openBus } from '../../lib/redis/bus.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openAudit } from '../audit/audit.ts'

const rowOf = async (database: Database, key: string): Promise<string | undefined> =>
  (await database.query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value

const storeRow = async (database: Database, key: string, value: string): Promise<void> => {
  await database.query.deleteFrom('options').where('key', '=', key).execute()
  await database.query.insertInto('options').values({ key, value }).execute()
}

describeEachEngine('options', (open) => {
  it('answer their defaults while nothing is stored', async () => {
    const options = await openTestOptions(await open())
    expect(options.get('QuotaPerUnit')).toBe(500_000)
    expect(options.get('GroupRatio')).toEqual({ default: 1, vip: 1, svip: 1 })
  })

  it('apply a saved value at once and after the next start', async () => {
    const database = await open()
    const options = await openTestOptions(database)
    const before = options.snapshot()
    await options.set('RetryTimes', '3', root)
    expect(options.get('RetryTimes')).toBe(3)
    expect(before.RetryTimes).toBe(0)
    expect((await openTestOptions(database)).get('RetryTimes')).toBe(3)
  })

  it('replace a map as a whole: what is left out is gone', async () => {
    const options = await openTestOptions(await open())
    await options.set('ModelRatio', '{"gpt-4o":1.25,"own":2}', root)
    await options.set('ModelRatio', '{"own":3}', root)
    expect(options.get('ModelRatio')).toEqual({ own: 3 })
    await options.reset('ModelRatio', root)
    expect(options.get('ModelRatio')).toEqual(registry.ModelRatio.fallback)
  })

  it('leave the live value and the stored row alone when a value is refused', async () => {
    const database = await open()
    const options = await openTestOptions(database)
    await options.set('GroupRatio', '{"default":1,"vip":0.5}', root)
    for (const bad of ['', '{', '{"vip":-1}', '[]', 'null']) {
      await expect(options.set('GroupRatio', bad, root)).rejects.toMatchObject({ code: 'option_invalid' })
    }
    expect(options.get('GroupRatio')).toEqual({ default: 1, vip: 0.5 })
    expect(JSON.parse((await rowOf(database, 'GroupRatio')) ?? '')).toEqual({ default: 1, vip: 0.5 })
  })

  it('say in both languages why a value is refused', async () => {
    const options = await openTestOptions(await open())
    const refusal = await options.set('Chats', '{', root).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'option_invalid' })
    if (!(refusal instanceof Error && 'textIn' in refusal && typeof refusal.textIn === 'function')) throw refusal
    expect(refusal.textIn('zh')).toContain('不是合法的 JSON 字符串')
    expect(refusal.textIn('en')).toContain('Not valid JSON')
  })

  it('refuse unknown keys, and writers without the role', async () => {
    const options = await openTestOptions(await open())
    await expect(options.set('NoSuchOption', '1', root)).rejects.toMatchObject({ code: 'option_unknown' })
    await expect(options.set('constructor', '1', root)).rejects.toMatchObject({ code: 'option_unknown' })
    await expect(options.set('Notice', 'hello', admin)).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('refuse to switch a login on before its settings are there', async () => {
    const options = await openTestOptions(await open())
    const switchOn = () => options.set('GitHubOAuthEnabled', 'true', root)
    await expect(switchOn()).rejects.toThrowError(/client ID/)
    await options.set('GitHubOAuthEnabled', 'false', root)
    await options.set('GitHubClientId', 'id', root)
    await switchOn()
    expect(options.get('GitHubOAuthEnabled')).toBe(true)
    await options.set('EmailDomainWhitelist', '', root)
    await expect(options.set('EmailDomainRestrictionEnabled', 'true', root)).rejects.toMatchObject({
      code: 'option_requires',
    })
    await options.set('TelegramBotToken', 'token', root)
    await options.set('TelegramOAuthEnabled', 'true', root)
  })

  it('keep secrets encrypted at rest, out of the list and out of the audit', async () => {
    const database = await open()
    const audit = openAudit(database, Date.now)
    const options = await openTestOptions(database, { audit: audit.record })
    await options.set('SMTPToken', 'hunter2-hunter2', root)
    expect(options.get('SMTPToken')).toBe('hunter2-hunter2')
    expect(await rowOf(database, 'SMTPToken')).toMatch(/^v1\./)
    expect((await openTestOptions(database)).get('SMTPToken')).toBe('hunter2-hunter2')
    const trail = await database.query.selectFrom('audit').selectAll().execute()
    expect(trail).toMatchObject([{ actor_name: 'root', action: 'option.update', after: '{"SMTPToken":"***"}' }])
    expect(JSON.stringify([trail, options.list(100, 'en')])).not.toContain('hunter2')
    expect(options.storedSecrets(100)).toEqual(['SMTPToken'])
    expect(options.storedSecrets(10)).toEqual([])
    await options.set('SMTPToken', '', root)
    expect(await rowOf(database, 'SMTPToken')).toBeUndefined()
    expect(options.storedSecrets(100)).toEqual([])
  })

  it('trace only the entries of a map that changed', async () => {
    const database = await open()
    const options = await openTestOptions(database, { audit: openAudit(database, Date.now).record })
    await options.set('GroupRatio', '{"default":1,"vip":0.5,"svip":1}', root)
    const trail = await database.query.selectFrom('audit').selectAll().execute()
    expect(trail).toMatchObject([{ before: '{"GroupRatio/vip":1}', after: '{"GroupRatio/vip":0.5}' }])
  })

  it('change nothing when the trace cannot be written', async () => {
    const database = await open()
    const audit = () => Promise.reject(new Error('no audit'))
    const options = await openTestOptions(database, { audit })
    await expect(options.set('RetryTimes', '3', root)).rejects.toThrow('no audit')
    expect(options.get('RetryTimes')).toBe(0)
    expect(await rowOf(database, 'RetryTimes')).toBeUndefined()
  })

  it('ignore a stored row that cannot be used, and say so', async () => {
    const database = await open()
    await storeRow(database, 'QuotaPerUnit', '0')
    await storeRow(database, 'SMTPToken', 'written in clear')
    await storeRow(database, 'SomebodyElse', 'unknown keys do no harm')
    const log = { ...silentLog, warn: vi.fn() }
    const options = await openTestOptions(database, { log })
    expect(options.get('QuotaPerUnit')).toBe(500_000)
    expect(options.get('SMTPToken')).toBe('')
    expect(log.warn).toHaveBeenCalledTimes(2)
    const listed = options.list(100, 'en').find((entry) => entry.key === 'QuotaPerUnit')
    expect(listed).toEqual({ key: 'QuotaPerUnit', value: '500000', problem: expect.stringContaining('from 1') })
    await options.reload()
    expect(log.warn).toHaveBeenCalledTimes(2)
    await options.set('QuotaPerUnit', '1000', root)
    expect(options.list(100, 'en')).toContainEqual({ key: 'QuotaPerUnit', value: '1000' })
  })

  it('keep the live value when a row goes bad while running', async () => {
    const database = await open()
    const options = await openTestOptions(database)
    await options.set('GroupRatio', '{"default":2}', root)
    await storeRow(database, 'GroupRatio', '{')
    await options.reload()
    expect(options.get('GroupRatio')).toEqual({ default: 2 })
  })

  it('name the problem of secrets of another installation', async () => {
    const database = await open()
    await (await openTestOptions(database)).set('EpayKey', 'pay', root)
    const log = { ...silentLog, warn: vi.fn() }
    const foreign = openSecrets({ cryptoSecret: 'another secret', keyFile: 'unused' })
    const options = await openTestOptions(database, { secrets: foreign, log })
    expect(options.get('EpayKey')).toBe('')
    expect(log.warn).toHaveBeenCalledOnce()
  })

  it('reach other nodes through the bus', async () => {
    const database = await open()
    const [busOne, busTwo] = twoNodes()
    const one = await openTestOptions(database, { bus: busOne })
    const two = await openTestOptions(database, { bus: busTwo })
    const listener = vi.fn()
    two.subscribe(listener)
    await one.set('SystemName', 'Gate', root)
    await vi.waitFor(() => expect(two.get('SystemName')).toBe('Gate'))
    expect(listener).toHaveBeenCalledExactlyOnceWith(two.snapshot(), ['SystemName'])
  })

  it('reach other nodes without a bus at the next sync', async () => {
    const database = await open()
    const one = await openTestOptions(database)
    const two = await openTestOptions(database, { syncFrequencyMs: 20 })
    await one.set('SystemName', 'Gate', root)
    await vi.waitFor(() => expect(two.get('SystemName')).toBe('Gate'))
    two.close()
  })

  it('keep the last of many saves at once, everywhere', async () => {
    const database = await open()
    const options = await openTestOptions(database)
    const saves = Array.from({ length: 20 }, (_, index) => options.set('RetryTimes', String(index + 1), root))
    await Promise.all([...saves, options.reload(), options.reload()])
    expect(options.get('RetryTimes')).toBe(20)
    expect(await rowOf(database, 'RetryTimes')).toBe('20')
  })

  it('keep the same snapshot while nothing changes', async () => {
    const options = await openTestOptions(await open())
    const before = options.snapshot()
    await options.reload()
    expect(options.snapshot()).toBe(before)
    await options.set('Notice', 'hello', root)
    expect(options.snapshot()).not.toBe(before)
    expect(Object.isFrozen(options.snapshot())).toBe(true)
  })

  it('show admins what they may see and root everything but secrets', async () => {
    const options = await openTestOptions(await open())
    const keys = (role: number) => options.list(role, 'zh').map((entry) => entry.key)
    expect(keys(10)).toContain('ModelRatio')
    expect(keys(10)).not.toContain('SMTPServer')
    expect(keys(10)).not.toContain('claude.model_headers_settings')
    expect(keys(100)).toContain('SMTPServer')
    for (const hidden of ['SMTPToken', 'EpayKey', 'oidc.client_secret']) expect(keys(100)).not.toContain(hidden)
  })
})

/** Two nodes whose messages reach each other. */
const twoNodes = (): [Bus, Bus] => {
  const buses = [openBus({ nodeName: 'one', log: silentLog }), openBus({ nodeName: 'two', log: silentLog })] as const
  const listeners = [new Set<() => void>(), new Set<() => void>()] as const
  const node = (own: 0 | 1): Bus => ({
    ...buses[own],
    publish: (topic, message) => {
      buses[own].publish(topic, message)
      for (const deliver of listeners[own === 0 ? 1 : 0]) deliver()
    },
    subscribe: (topic, listener) => {
      listeners[own].add(() => listener({ kind: 'message', message: '', own: false }))
      return buses[own].subscribe(topic, listener)
    },
  })
  return [node(0), node(1)]
}
