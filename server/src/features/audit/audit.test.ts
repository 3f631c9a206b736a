import { describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openAudit } from './audit.ts'
import { differences } from './differences.ts'

describe('differences', () => {
  it('keep only what changed', () => {
    expect(differences({ name: 'a', weight: 1, tag: null }, { name: 'b', weight: 1, tag: null })).toEqual({
      before: { name: 'a' },
      after: { name: 'b' },
    })
  })

  it.each(['key', 'password', 'webhook_secret', 'access_token', 'SMTPToken', 'access_key'])(
    'show that %s changed, but not its value',
    (name) => {
      expect(differences({ [name]: 'old' }, { [name]: 'new' })).toEqual({
        before: { [name]: '***' },
        after: { [name]: '***' },
      })
    },
  )

  it('name a secret once, however many columns keep it', () => {
    const { before, after } = differences(
      { key_cipher: 'a', key_hash: 'b', access_token_hash: null },
      { key_cipher: 'c', key_hash: 'd', access_token_hash: 'e' },
    )
    expect([before, after]).toEqual([
      { key: '***', access_token: null },
      { key: '***', access_token: '***' },
    ])
  })

  it('leave empty fields out of what was made or removed', () => {
    expect(differences(undefined, { name: 'a', tag: null, other: '', weight: 0 }).after).toEqual({
      name: 'a',
      weight: 0,
    })
    expect(differences({ name: 'a', tag: null }, undefined).before).toEqual({ name: 'a' })
    expect(differences({ tag: 'eu' }, { tag: null }).after).toEqual({ tag: null })
  })

  it('cut credentials out of addresses', () => {
    const { after } = differences({}, { setting: '{"proxy":"socks5://me:pw@host:1"}', key_hint: '…abcd' })
    expect(after).toEqual({ setting: '{"proxy":"socks5://***@host:1"}', key_hint: '…abcd' })
  })

  it.each([
    ['the text of settings', { setting: '{"webhook_url":"https://x","webhook_secret":"hush"}' }],
    ['an override', { param_override: '{"headers":{"Authorization":"Bearer hush"},"list":[{"api_key":"hush"}]}' }],
    ['a map of an option', { 'Chats/0': { link: 'https://me:hush@host/', secret: 'hush' } }],
  ])('find secrets inside %s', (_, facts) => {
    const { after } = differences(undefined, facts)
    expect(JSON.stringify(after)).not.toContain('hush')
    expect(JSON.stringify(after)).toContain('***')
  })

  it('show that a secret was removed', () => {
    expect(differences({ key: 'old' }, { key: '' })).toEqual({ before: { key: '***' }, after: { key: '' } })
  })
})

describeEachEngine('the trail', (open) => {
  const entry = {
    actor: { id: 1, username: 'root' },
    action: 'channel.update',
    object: 'channel',
    objectId: 5,
    before: { name: 'a', id: 5 },
    after: { name: 'b', id: 5 },
    ip: '192.0.2.1',
  }

  it('states actor, change, time and address', async () => {
    const database = await open()
    await openAudit(database, () => 1_900_000_000_500).record(entry)
    const rows = await database.query.selectFrom('audit').selectAll().execute()
    expect(rows).toMatchObject([
      {
        created_at: 1_900_000_000,
        actor_id: 1,
        actor_name: 'root',
        action: 'channel.update',
        object: 'channel',
        object_id: '5',
        before: '{"name":"a"}',
        after: '{"name":"b"}',
        ip: '192.0.2.1',
      },
    ])
  })

  it('is not written when its change is not', async () => {
    const database = await open()
    const audit = openAudit(database, Date.now)
    const failing = database.transaction(async (trx) => {
      await audit.record(entry, trx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await database.query.selectFrom('audit').selectAll().execute()).toEqual([])
  })
})
