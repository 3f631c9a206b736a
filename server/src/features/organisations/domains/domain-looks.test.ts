import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type NameServer, startNameServer } from '../../../../test/support/dns/name-server.ts'
import { type NoticeSite, openNoticeSite } from '../../../../test/support/features/notices.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'
import { openLog } from '../../../lib/log.ts'
import { openSecrets } from '../../../lib/security/secrets.ts'
import { openAudit } from '../../audit/audit.ts'
import { domainRecordMissing } from '../../notices/organisation-texts.ts'
import { endEnforcement } from '../../third-party/identity-providers/store.ts'
import { accessTo } from '../rights.ts'
import { openTextReader } from './dns-texts.ts'
import { type DomainLookParts, openDomainLooks } from './domain-looks.ts'
import { domainRecordOf, proveDomain, showDomainProof } from './domain-proof.ts'

const hour = 3_600_000
const domain = 'acme.example'

describeEachEngine('the record of a proved domain', (open) => {
  let names: NameServer
  let site: NoticeSite
  let parts: DomainLookParts
  let owner: number
  let organisation: number
  let record: { readonly name: string; readonly value: string }
  let count = 0
  let changes = 0
  const lines: string[] = []
  const query = () => parts.database.query

  beforeAll(async () => {
    const database = await open()
    names = await startNameServer()
    site = await openNoticeSite(database)
    const clock = () => site.site.state.now
    parts = {
      database,
      secrets: openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' }),
      readTexts: openTextReader([names.address]),
      providers: {
        endEnforcement,
        async changed() {
          changes += 1
        },
      },
      audit: openAudit(database, clock),
      clock,
      noticeTo: (userId, news) => site.notices.userNotice(userId, domainRecordMissing(news, 'https://gate.example')),
      log: openLog({ clock, format: 'json', debug: false, print: (line) => lines.push(line) }),
    }
  })
  afterAll(async () => {
    await site?.close()
    await names?.close()
  })

  beforeEach(async () => {
    count += 1
    const person = await site.person({ language: 'en' }, { email: `boss${count}@mail.example` })
    owner = person.id
    organisation = (await foundOrganisation(parts.database, owner)).organisation
    record = domainRecordOf(parts, organisation, domain)
    there()
    await prove()
    await query()
      .insertInto('identity_providers')
      .values({
        organisation_id: organisation,
        slug: `acme${count}`,
        name: 'Acme',
        icon: 'key',
        enabled: 1,
        connection: '{}',
        secret_cipher: '',
        sign_up: 0,
        domains: domain,
        enforced: 1,
        rules: '[]',
        replaces_manual: 0,
        created_time: 0,
        changed_time: 0,
      })
      .execute()
    await query().deleteFrom('notice_deliveries').execute()
    site.smtp.mails.length = 0
    lines.length = 0
    changes = 0
  })
  afterEach(async () => {
    await query().deleteFrom('identity_providers').execute()
    await query().updateTable('organisations').set({ domain: '', domain_proof: null }).execute()
  })

  const prove = async () => proveDomain(parts, await access(), { id: owner, username: '', ip: '' }, domain)
  const access = () => accessTo(query(), organisation, owner)
  const there = () => names.names.set(record.name, ['v=spf1 -all', record.value])
  const look = () => {
    const failed = (error: unknown): never => expect.fail(String(error))
    return openDomainLooks(parts, { failed, clock: parts.clock }).work()
  }
  const mails = async () => {
    await site.notices.work()
    return site.smtp.mails.map(({ subject, body }) => ({ subject, body }))
  }
  const proof = async () => showDomainProof(parts, await access(), domain)
  const enforced = async () =>
    (await query().selectFrom('identity_providers').select('enforced').executeTakeFirst())?.enforced
  /** One look a day, on so many days. */
  const pass = async (days: number) => {
    for (let at = 0; at < days; at += 1) {
      site.site.state.now += 27 * hour
      await look()
    }
  }
  const now = () => Math.floor(site.site.state.now / 1000)

  it('is looked at once a day, and the proof says when it was seen last', async () => {
    const before = names.asked.length
    await look()
    expect(names.asked.length).toBe(before)
    await pass(1)
    expect(await proof()).toMatchObject({ seen_time: now(), missed_time: 0, ends_time: 0 })
    await look()
    expect(names.asked.length).toBe(before + 1)
    await pass(20)
    expect(names.asked.length).toBe(before + 21)
    expect([await enforced(), await mails()]).toEqual([1, []])
  })

  it('is looked at by one node, however many ask', async () => {
    const before = names.asked.length
    site.site.state.now += 27 * hour
    await Promise.all([look(), look(), look()])
    expect(names.asked.length).toBe(before + 1)
  })

  it.each([
    ['there is no such name', { code: 3 }],
    ['there is another text', ['tollgate-domain=another']],
  ] as const)('ends the proof after a week in which %s, and owners know of it before', async (_, answer) => {
    names.names.set(record.name, answer)
    await pass(1)
    expect(await mails()).toEqual([])
    const since = now()
    await pass(1)
    const [first] = await mails()
    expect(first?.subject).toBe(`DNS record missing for ${domain}`)
    expect(first?.body).toContain(`_tollgate.${domain}`)
    expect(first?.body).toContain(`https://gate.example/organisation/${organisation}?tab=settings`)
    expect(first?.body).toContain(new Date((since + 6 * 86_400) * 1000).toISOString().slice(0, 10))
    expect(await proof()).toMatchObject({ missed_time: since, ends_time: since + 6 * 86_400 })
    await pass(4)
    expect(await mails()).toHaveLength(2)
    expect([await enforced(), (await access()).domain]).toEqual([1, domain])

    await pass(1)
    expect((await mails()).map(({ subject }) => subject)[2]).toBe(`Domain verification expired for ${domain}`)
    expect([await enforced(), (await access()).domain, changes]).toEqual([0, '', 1])
    expect(await proof()).toMatchObject({ proved_time: 0, seen_time: 0, missed_time: 0 })
    expect(lines.filter((line) => line.includes('domain_proof_ended'))).toHaveLength(1)
    const trail = await query()
      .selectFrom('audit')
      .select('action')
      .where('object_id', '=', String(organisation))
      .where('action', 'like', '%end')
      .orderBy('id')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual(['organisation.domain_proof_end', 'organisation.enforcement_end'])
    const asked = names.asked.length
    await pass(3)
    expect(names.asked.length).toBe(asked)
  })

  it('may be missing for some days: once it is there again, everything begins anew', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      names.names.delete(record.name)
      await pass(6)
      there()
      await pass(1)
      expect(await proof()).toMatchObject({ seen_time: now(), missed_time: 0 })
    }
    expect(await enforced()).toBe(1)
  })

  it('does not end in fewer days than six, however often it is looked at', async () => {
    names.names.delete(record.name)
    await pass(1)
    for (let turn = 0; turn < 12; turn += 1) {
      await query().updateTable('organisations').set({ domain_look_time: 0 }).execute()
      await look()
    }
    expect(await enforced()).toBe(1)
  })

  it('is not taken for missing where name servers refuse, for however long', async () => {
    names.names.set(record.name, { code: 2 })
    await pass(30)
    expect([await enforced(), await mails()]).toEqual([1, []])
    expect(await proof()).toMatchObject({ missed_time: 0 })
    expect(lines.filter((line) => line.includes('domain_records_unread'))).toHaveLength(30)
    // Asked again within the hour, and not a day later.
    there()
    site.site.state.now += hour
    await look()
    expect(await proof()).toMatchObject({ seen_time: now() })
  })

  it('leaves the organisation its domain where an owner has an address there', async () => {
    await site.site.users.links.link(
      { id: owner, username: '', ip: '' },
      { provider: 'email', subject: `boss${count}@${domain}` },
    )
    names.names.delete(record.name)
    await pass(7)
    expect([await enforced(), (await access()).domain]).toEqual([0, domain])
    expect(await proof()).toMatchObject({ proved_time: 0 })
  })

  it('counts anew once an owner has proved the domain anew', async () => {
    names.names.delete(record.name)
    await pass(6)
    there()
    await prove()
    names.names.delete(record.name)
    await pass(6)
    expect(await enforced()).toBe(1)
    await pass(1)
    expect(await enforced()).toBe(0)
  })
})
